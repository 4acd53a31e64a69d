/** The express face of the pages: routes and the forms' bodies, no rules. Mount it in front of the document's operations. */
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import type { Interaction, Visitor } from '../interaction.ts'
import type { PageAnswer } from './answer.ts'
import { toErrorPage } from './error.tsx'
import { interactionPath, stylesheetPath } from './paths.ts'
import { stylesheet } from './stylesheet.ts'

const parseForm = express.urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 20 })

export function createPages(interaction: Interaction): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const transaction = ':transaction'

  router.get(stylesheetPath, (_request, response) => {
    response.set({
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    })
    response.send(stylesheet)
  })
  router.get(interactionPath(transaction), async (request, response) =>
    send(response, await interaction.show(toId(request), toVisitor(request))),
  )
  router.post(interactionPath(transaction, 'sign-in'), parseForm, async (request, response) =>
    send(response, await interaction.signIn(toId(request), toVisitor(request), request.body ?? {})),
  )
  router.post(interactionPath(transaction, 'sign-out'), parseForm, async (request, response) =>
    send(response, await interaction.signOut(toId(request), toVisitor(request), request.body ?? {})),
  )
  router.post(interactionPath(transaction, 'decision'), parseForm, async (request, response) =>
    send(response, await interaction.decide(toId(request), toVisitor(request), request.body ?? {})),
  )
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error)
    else send(response, toErrorPage(error))
  })
  return router
}

function toId(request: Request): string {
  return String(request.params.transaction)
}

function toVisitor(request: Request): Visitor {
  return { cookies: request.headers.cookie, address: request.ip ?? '' }
}

function send(response: Response, { status, headers, body }: PageAnswer): void {
  response.status(status).set(headers)
  response.end(body)
}
