/** The Express router of the identity provider's pages: routes only. Mount it before the API's operations. */
import type { Router } from 'express'
import { redirectAnswer } from '../pages/answer.ts'
import { createAssets } from '../pages/assets.ts'
import { answerErrors, createPageRouter, type SubmitForm } from '../web/page-router.ts'
import type { AccountInteraction } from './account.ts'
import type { Interaction } from './authorize/interaction.ts'
import type { ErrorPages } from './pages/error.tsx'
import { accountFormPath, accountPath, accountSignedOutPath, interactionPath, pageSignInPath } from './pages/paths.ts'

export function createPages({
  interaction,
  account,
  errorPages,
}: {
  interaction: Interaction
  account: AccountInteraction
  errorPages: ErrorPages
}): Router {
  const { router, page, form } = createPageRouter({ maxFormBytes: 16 * 1024 })

  /** A GET of the form's target, such as a reload of the form's answer, redirects to the page with the form. */
  function formOf(pagePath: (id: string) => string, path: string, submit: SubmitForm): void {
    form(path, submit)
    page(path, async (_visitor, id) => redirectAnswer(303, pagePath(id)))
  }

  router.use(createAssets())

  // `:id` is a sealed transaction.
  page(interactionPath(':id'), interaction.show)
  formOf(interactionPath, interactionPath(':id', 'sign-in'), interaction.signIn)
  formOf(interactionPath, interactionPath(':id', 'sign-out'), interaction.signOut)
  formOf(interactionPath, interactionPath(':id', 'decision'), interaction.decide)

  // `:id` is a sealed visit, a client or a session.
  const toAccount = () => accountPath
  page(accountPath, (visitor, _id, query) => account.show(visitor, query))
  page(pageSignInPath(':id'), account.showSignIn)
  form(pageSignInPath(':id'), account.signIn)
  formOf(toAccount, accountFormPath('sign-out'), (visitor, _id, fields) => account.signOut(visitor, fields))
  formOf(toAccount, accountFormPath('password'), (visitor, _id, fields) => account.changePassword(visitor, fields))
  page(accountSignedOutPath, (visitor, _id, query) => account.endWithPortal(visitor, query))
  page(`${accountPath}/applications/:id/revoke`, account.askRevoke)
  form(`${accountPath}/applications/:id/revoke`, account.revoke)
  page(`${accountPath}/sessions/:id/end`, account.askEndSession)
  form(`${accountPath}/sessions/:id/end`, account.endSession)
  page(`${accountPath}/*rest`, async () => errorPages.nothingHere())

  router.use(answerErrors(errorPages.ofError))
  return router
}
