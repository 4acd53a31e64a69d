/** The express face of the pages: routes and the forms' bodies, no rules. Mount it in front of the document's operations. */
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import { createAssets } from '../../pages/assets.ts'
import type { FormFields } from '../../pages/form-fields.ts'
import type { AccountInteraction } from '../account.ts'
import type { Visitor } from '../cookies.ts'
import type { Interaction } from '../interaction.ts'
import { nothingHerePage, toErrorPage } from './error.tsx'
import { accountFormPath, accountPath, interactionPath, pageSignInPath } from './paths.ts'

const parseForm = express.urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 20 })

/** `id` is what the path names: a transaction, a client, a session. */
type Show = (id: string, visitor: Visitor) => Promise<PageAnswer>
type Submit = (id: string, visitor: Visitor, fields: FormFields) => Promise<PageAnswer>

export function createPages({
  interaction,
  account,
}: {
  interaction: Interaction
  account: AccountInteraction
}): Router {
  const router = Router({ caseSensitive: true, strict: true })

  function page(path: string, show: Show): void {
    router.get(path, async (request, response) => send(response, await show(toId(request), toVisitor(request))))
  }

  function form(path: string, submit: Submit): void {
    router.post(path, parseForm, async (request, response) =>
      send(response, await submit(toId(request), toVisitor(request), request.body ?? {})),
    )
  }

  /** Who comes to a form's own address, by reloading what it answered, gets the page that the form is on. */
  function formOf(pagePath: (id: string) => string, path: string, submit: Submit): void {
    form(path, submit)
    page(path, async (id) => redirectAnswer(303, pagePath(id)))
  }

  router.use(createAssets())

  page(interactionPath(':id'), interaction.show)
  formOf(interactionPath, interactionPath(':id', 'sign-in'), interaction.signIn)
  formOf(interactionPath, interactionPath(':id', 'sign-out'), interaction.signOut)
  formOf(interactionPath, interactionPath(':id', 'decision'), interaction.decide)

  const toAccount = () => accountPath
  router.get(accountPath, async (request, response) =>
    send(response, await account.show(toVisitor(request), request.query.page)),
  )
  page(pageSignInPath(':id'), account.showSignIn)
  form(pageSignInPath(':id'), account.signIn)
  formOf(toAccount, accountFormPath('sign-out'), (_id, visitor, fields) => account.signOut(visitor, fields))
  formOf(toAccount, accountFormPath('password'), (_id, visitor, fields) => account.changePassword(visitor, fields))
  page(`${accountPath}/applications/:id/revoke`, account.askRevoke)
  form(`${accountPath}/applications/:id/revoke`, account.revoke)
  page(`${accountPath}/sessions/:id/end`, account.askEndSession)
  form(`${accountPath}/sessions/:id/end`, account.endSession)
  page(`${accountPath}/*rest`, async () => nothingHerePage())

  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error)
    else send(response, toErrorPage(error))
  })
  return router
}

function toId(request: Request): string {
  return String(request.params.id)
}

function toVisitor(request: Request): Visitor {
  return { cookies: request.headers.cookie, address: request.ip ?? '', userAgent: request.headers['user-agent'] }
}

function send(response: Response, { status, headers, body }: PageAnswer): void {
  response.status(status).set(headers)
  response.end(body)
}
