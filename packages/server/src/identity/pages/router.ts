/** The Express router of the identity provider's pages: routes and form parsing only. Mount it before the API's operations. */
import express, { type Request, Router } from 'express'
import { answerErrors, type PageAnswer, redirectAnswer, sendAnswer } from '../../pages/answer.ts'
import { createAssets } from '../../pages/assets.ts'
import type { FormFields } from '../../pages/form-fields.ts'
import type { Visitor } from '../../web/cookies.ts'
import type { Interaction } from '../authorize/interaction.ts'
import type { AccountInteraction } from '../people/account.ts'
import { nothingHerePage, toErrorPage } from './error.tsx'
import { accountFormPath, accountPath, interactionPath, pageSignInPath } from './paths.ts'

const parseForm = express.urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 20 })

/** `id` is the path's parameter: a transaction, a client or a session. */
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
    router.get(path, async (request, response) => sendAnswer(response, await show(toId(request), toVisitor(request))))
  }

  function form(path: string, submit: Submit): void {
    router.post(path, parseForm, async (request, response) =>
      sendAnswer(response, await submit(toId(request), toVisitor(request), request.body ?? {})),
    )
  }

  /** A GET of the form's target, such as a reload of the form's answer, redirects to the page with the form. */
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
    sendAnswer(response, await account.show(toVisitor(request), request.query.page)),
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

  router.use(answerErrors(toErrorPage))
  return router
}

function toId(request: Request): string {
  return String(request.params.id)
}

function toVisitor(request: Request): Visitor {
  return { cookies: request.headers.cookie, address: request.ip ?? '', userAgent: request.headers['user-agent'] }
}
