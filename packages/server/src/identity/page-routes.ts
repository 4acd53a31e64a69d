/** The Express router of the identity provider's pages: routes only. Mount it before the API's operations. */
import type { Router } from 'express'
import { redirectAnswer } from '../pages/answer.ts'
import { assets } from '../pages/assets.ts'
import { createAssetRouter } from '../web/asset-router.ts'
import { answerErrors, createPageRouter, type SubmitForm } from '../web/page-router.ts'
import type { AccountInteraction } from './account.ts'
import type { Interaction } from './authorize/interaction.ts'
import type { ErrorPages } from './pages/error.tsx'
import {
  accountFormPath,
  accountPath,
  accountSignedOutPath,
  interactionPath,
  pageSignInPath,
  resetPath,
  signOutPath,
} from './pages/paths.ts'
import type { PasswordReset } from './password-reset.ts'
import type { AppSignOut } from './sign-out.ts'

export function createPages({
  interaction,
  account,
  appSignOut,
  passwordReset,
  errorPages,
}: {
  interaction: Interaction
  account: AccountInteraction
  appSignOut: AppSignOut
  passwordReset: PasswordReset
  errorPages: ErrorPages
}): Router {
  const { router, page, form } = createPageRouter({ maxFormBytes: 16 * 1024 })

  /** A GET of the form's target, such as a reload of the form's answer, redirects to the page with the form. */
  function formOf(pagePath: (id: string) => string, path: string, submit: SubmitForm): void {
    form(path, submit)
    page(path, async (_visitor, id) => redirectAnswer(303, pagePath(id)))
  }

  router.use(createAssetRouter(assets))

  // `:id` is a sealed transaction.
  page(interactionPath(':id'), interaction.show)
  formOf(interactionPath, interactionPath(':id', 'sign-in'), interaction.signIn)
  formOf(interactionPath, interactionPath(':id', 'sign-out'), interaction.signOut)
  formOf(interactionPath, interactionPath(':id', 'decision'), interaction.decide)

  // `:id` is a sealed sign-out.
  page(signOutPath(':id'), appSignOut.show)
  form(signOutPath(':id'), appSignOut.decide)

  // `:id` is a sealed visit, a client or a session.
  const toAccount = () => accountPath
  page(accountPath, (visitor, _id, query) => account.show(visitor, query))
  page(pageSignInPath(':id'), account.showSignIn)
  form(pageSignInPath(':id'), account.signIn)
  formOf(toAccount, accountFormPath('sign-out'), (visitor, _id, fields) => account.signOut(visitor, fields))
  formOf(toAccount, accountFormPath('end-others'), (visitor, _id, fields) => account.endOthers(visitor, fields))
  formOf(toAccount, accountFormPath('password'), (visitor, _id, fields) => account.changePassword(visitor, fields))
  page(accountSignedOutPath, (visitor, _id, query) => account.endWithPortal(visitor, query))
  page(`${accountPath}/applications/:id/revoke`, account.askRevoke)
  form(`${accountPath}/applications/:id/revoke`, account.revoke)
  page(`${accountPath}/sessions/:id/end`, account.askEndSession)
  form(`${accountPath}/sessions/:id/end`, account.endSession)
  // `:id` is the secret of a link.
  page(resetPath(':id'), passwordReset.show)
  form(resetPath(':id'), (visitor, id, fields) => passwordReset.submit(visitor, fields, id))
  page(`${accountPath}/*rest`, async () => errorPages.nothingHere())

  router.use(answerErrors(errorPages.ofError))
  return router
}
