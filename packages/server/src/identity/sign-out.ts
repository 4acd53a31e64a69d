/**
 * Signs a user out of this service for an application: in this browser, here and at the portal.
 * In: the application's request, which any page can link to. Out: a page that asks the user; after the answer, or
 * without a user, a redirect to the application's registered address.
 */
import { type PageAnswer, redirectAnswer } from '../pages/answer.ts'
import type { FormFields } from '../pages/forms/form-fields.ts'
import type { Directory } from '../ports/storage/directory.ts'
import { forgottenSessionCookie, toBrowserSecret, toVisitor, type Visitor } from '../web/cookies.ts'
import type { Audit } from './audit.ts'
import { findRedirectTarget } from './authorize/authorization-request.ts'
import { isTooLong } from './authorize/authorize.ts'
import { type RedirectUriPolicy, toRedirect } from './authorize/redirect-uri.ts'
import type { ErrorPages } from './pages/error.tsx'
import { signOutPage } from './pages/sign-out.tsx'
import { findOwn, findOwnForm } from './people/own-form.ts'
import type { Sessions } from './people/session.ts'
import { type SignOutRequest, type Transaction, type Transactions, toFormToken } from './people/sign-in-transaction.ts'

export interface AppSignOut {
  /** The operation of the document. */
  begin(request: { search: string; headers: { cookie?: string }; address: string }): Promise<PageAnswer>
  /** The page again, after a reload of its form. */
  show(visitor: Visitor, sealed: string): Promise<PageAnswer>
  decide(visitor: Visitor, sealed: string, fields: FormFields): Promise<PageAnswer>
}

export interface AppSignOutOptions {
  directory: Directory
  sessions: Sessions
  transactions: Transactions<SignOutRequest>
  redirectUris: RedirectUriPolicy
  /** The address that ends the session of the same browser at the portal, and goes on to `returnTo`. */
  toPortalSignOut(userId: string, returnTo: string): string
  uiOrigin: string
  errorPages: ErrorPages
  audit: Audit
}

const parameter = 'post_logout_redirect_uri'

export function createAppSignOut(options: AppSignOutOptions): AppSignOut {
  const { directory, sessions, transactions, redirectUris, toPortalSignOut, uiOrigin, errorPages, audit } = options

  async function ask(transaction: Transaction<SignOutRequest>, visitor: Visitor, secret: string, cookie?: string) {
    const user = (await sessions.find(visitor))?.user
    if (!user) return redirectAnswer(302, transaction.returnTo)
    const formToken = toFormToken(secret, transaction.id, `sign-out:${user.id}`)
    return signOutPage({ transaction, user, formToken, uiOrigin }, cookie)
  }

  return {
    async begin({ search, headers, address }) {
      const target = await findRedirectTarget(search, directory, redirectUris, parameter)
      if (typeof target === 'string') return errorPages.targetRefused(target)
      const { client, redirectUri, query } = target
      const state = query.isRepeated('state') || isTooLong(query.find('state')) ? undefined : query.find('state')
      const visitor = toVisitor({ headers, address })
      const { secret, cookie } = toBrowserSecret(visitor.cookies)
      const request = { application: client.name, returnTo: toRedirect(redirectUri, { state }) }
      return ask(transactions.begin(request, secret), visitor, secret, cookie)
    },

    async show(visitor, sealed) {
      const own = findOwn(transactions, visitor, sealed)
      return typeof own === 'string' ? errorPages.ended(own) : ask(own.transaction, visitor, own.secret)
    },

    async decide(visitor, sealed, fields) {
      const signedIn = await sessions.find(visitor)
      const user = signedIn?.user
      const own = findOwnForm(transactions, visitor, sealed, fields, user && `sign-out:${user.id}`)
      // The second click of a double click, or a sign-out in another tab: what the user wants is done.
      const isDone = own === 'signed-out'
      const found = isDone ? findOwn(transactions, visitor, sealed) : own
      if (typeof found === 'string') return errorPages.refused(found)
      const { returnTo } = found.transaction
      if (!signedIn || fields.decision !== 'sign-out') return redirectAnswer(303, returnTo)
      await sessions.end(signedIn.session)
      audit({ event: 'signed-out', userId: signedIn.user.id })
      return redirectAnswer(303, toPortalSignOut(signedIn.user.id, returnTo), forgottenSessionCookie)
    },
  }
}
