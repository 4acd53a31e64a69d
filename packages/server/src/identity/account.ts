/**
 * The account page: a user's password, the approved applications, and the sessions; each of them can be ended.
 * In: the browser's cookies, the fields of a form. Out: a page, or a redirect; the answer to a valid form is a 303.
 * A visitor who is not signed in signs in first and returns to the page, whose path is sealed in the URL of the sign-in
 * page.
 */

import { createLimit } from '../concurrency/limit.ts'
import { type PageAnswer, redirectAnswer } from '../pages/answer.ts'
import { type FormFields, toText } from '../pages/forms/form-fields.ts'
import type { User } from '../ports/storage/directory.ts'
import { isSameSecret } from '../secrets.ts'
import { findBrowserSecret, forgottenSessionCookie, toBrowserSecret, type Visitor } from '../web/cookies.ts'
import type { Audit } from './audit.ts'
import { accountPage } from './pages/account.tsx'
import { endSessionPage, revokeAccessPage } from './pages/confirm.tsx'
import type { ErrorPages } from './pages/error.tsx'
import { findNewPasswordProblem } from './pages/new-password.ts'
import { accountPath, pageSignInPath, revokeAccessPath, sessionPath } from './pages/paths.ts'
import { signInPage } from './pages/sign-in.tsx'
import type { Consents } from './people/consents.ts'
import { findOwn, findOwnForm, findTokenRefusal } from './people/own-form.ts'
import { isPassword } from './people/password.ts'
import type { PasswordAttempts } from './people/password-attempts.ts'
import type { Notice, Session, Sessions } from './people/session.ts'
import type { SignIn } from './people/sign-in.ts'
import { type PageVisit, type Transactions, toFormToken } from './people/sign-in-transaction.ts'
import type { SignOutTickets } from './people/sign-out-ticket.ts'
import type { Users } from './people/users.ts'

export interface AccountOptions {
  users: Users
  sessions: Sessions
  signIn: SignIn
  attempts: PasswordAttempts
  consents: Consents
  visits: Transactions<PageVisit>
  /** Ends all refresh families and access tokens of a user. */
  endUserTokens(userId: string): Promise<void>
  signOutTickets: SignOutTickets
  /** The page of the portal that a sign-out leads to. */
  signedOutUrl: string
  /** Whether people can create an account. */
  canSignUp: boolean
  now(): number
  errorPages: ErrorPages
  audit: Audit
}

export type AccountInteraction = ReturnType<typeof createAccountInteraction>

/** A longer one, which no page of ours links to, is replaced by the account page, so that URLs stay short. */
const maxDestinationLength = 1_000

interface SignedIn {
  user: User
  session: Session
}

export function createAccountInteraction(options: AccountOptions) {
  const { users, sessions, signIn, attempts, consents, visits, endUserTokens, signOutTickets, signedOutUrl } = options
  const { canSignUp, now, errorPages, audit } = options
  const { origin: uiOrigin } = new URL(signedOutUrl)

  /** Shows the page to a signed-in user; redirects others to the sign-in, which leads back to the page. */
  async function showTo(
    visitor: Visitor,
    destination: string,
    show: (signedIn: SignedIn, secret: string, cookie: string | undefined) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    const { secret, cookie } = toBrowserSecret(visitor.cookies)
    const signedIn = await sessions.find(visitor)
    if (signedIn) return show(signedIn, secret, cookie)
    const isShort = destination.length <= maxDestinationLength
    const visit = visits.begin({ destination: isShort ? destination : accountPath }, secret)
    return redirectAnswer(303, pageSignInPath(visit.sealed), cookie)
  }

  /** What each page of the account needs. */
  function toAsked({ user, session }: SignedIn, secret: string) {
    const toToken = (purpose: string) => toFormToken(secret, session.id, purpose)
    return { user, toToken, uiOrigin, nowMs: now() }
  }

  /** Runs one change of a user's password at a time: the second click of a double click runs after the first. */
  const oneAtATime = createLimit()

  /** Processes a form of the account page, which must be the one that this session was shown. */
  async function act(
    visitor: Visitor,
    fields: FormFields,
    purpose: string,
    work: (signedIn: SignedIn) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    const secret = findBrowserSecret(visitor.cookies)
    if (secret === undefined) return errorPages.refusedAtAccount('no-cookie')
    const signedIn = await sessions.find(visitor)
    if (!signedIn) return errorPages.refusedAtAccount('signed-out')
    const refusal = findTokenRefusal(fields, { secret, id: signedIn.session.id, purpose })
    return refusal ? errorPages.refusedAtAccount(refusal) : work(signedIn)
  }

  async function toAccount(session: Session, notice: Notice): Promise<PageAnswer> {
    await sessions.setNotice(session, notice)
    return redirectAnswer(303, accountPath)
  }

  /**
   * Handles the second click of a double click: the first one has ended this session, and the browser may have dropped
   * its answer, which has the cookie of the next session. A visitor who knows the new password is signed in; others are
   * refused.
   */
  async function repeatPasswordChange(visitor: Visitor, fields: FormFields): Promise<PageAnswer | undefined> {
    const secret = findBrowserSecret(visitor.cookies)
    const owner = await sessions.findOwner(visitor)
    if (!owner || secret === undefined || (await sessions.find(visitor))) return undefined
    const user = await users.find(owner.userId)
    if (!user || !isSameSecret(toText(fields.form_token), toFormToken(secret, owner.id, 'password'))) return undefined
    const isNew = await isPasswordOf(user, toText(fields.new_password), visitor, owner.id)
    return isNew ? beginAlone(user, visitor) : undefined
  }

  /** Ends all sessions and begins a new one, after a password change. */
  async function beginAlone(user: User, visitor: Visitor): Promise<PageAnswer> {
    await sessions.endAll(user.id)
    // Omits the cookie, so that the former session keeps its owner, for a second click on the form.
    const cookie = await sessions.begin(user, { ...visitor, cookies: undefined }, { notice: 'password-changed' })
    return redirectAnswer(303, accountPath, cookie)
  }

  function isPasswordOf(
    { email, passwordHash }: User,
    password: string,
    { address }: Visitor,
    sessionId: string,
  ): Promise<boolean> {
    return attempts.examine(
      { email, address, knownBrowser: sessionId },
      () => isPassword(password, passwordHash),
      (isRight) => (isRight ? undefined : 'wrong-password'),
    )
  }

  async function changePassword(
    { user, session }: SignedIn,
    visitor: Visitor,
    fields: FormFields,
  ): Promise<PageAnswer> {
    const current = toText(fields.current_password)
    const next = toText(fields.new_password)
    const problem = await findNewPasswordProblem(next)
    if (problem) return toAccount(session, problem === 'common' ? 'common-new-password' : 'wrong-new-password-length')
    const isRight = await isPasswordOf(user, current, visitor, session.id)
    if (!isRight) return toAccount(session, 'wrong-current-password')
    // Before the change, so that no crash leaves valid tokens after it; after the change, for tokens issued meanwhile.
    await endUserTokens(user.id)
    const changed = await users.changePassword(user, next)
    if (!changed) return toAccount(session, 'wrong-current-password')
    await endUserTokens(user.id)
    audit({ event: 'password-changed', userId: user.id })
    return beginAlone(changed, visitor)
  }

  /** The portal ends its session in this browser, too, and says that the user is signed out. */
  async function signOut({ session, user }: SignedIn): Promise<PageAnswer> {
    await sessions.end(session)
    audit({ event: 'signed-out', userId: user.id })
    const query = new URLSearchParams({ ticket: signOutTickets.issue({ userId: user.id }, 'portal') })
    return redirectAnswer(303, `${signedOutUrl}?${query}`, forgottenSessionCookie)
  }

  return {
    /** @param query Its `page` is the page of applications. */
    show: (visitor: Visitor, query: URLSearchParams) =>
      showTo(visitor, accountPath, async (signedIn, secret, cookie) => {
        const { user, session } = signedIn
        const [applications, open] = await Promise.all([consents.list(user.id, query.get('page')), sessions.list(user)])
        if (session.notice) await sessions.setNotice(session, null)
        return accountPage({ ...toAsked(signedIn, secret), session, applications, sessions: open }, cookie)
      }),

    async showSignIn(visitor: Visitor, sealed: string) {
      const own = findOwn(visits, visitor, sealed)
      if (typeof own === 'string') return errorPages.endedAtAccount(own)
      const { transaction: visit, secret } = own
      if (await sessions.find(visitor)) return redirectAnswer(303, visit.destination)
      const formToken = toFormToken(secret, visit.id, 'sign-in')
      const action = pageSignInPath(sealed)
      return signInPage({ action, formToken, goal: 'your account', failed: visit.failure, canSignUp }, undefined)
    },

    async signIn(visitor: Visitor, sealed: string, fields: FormFields) {
      const own = findOwnForm(visits, visitor, sealed, fields, 'sign-in')
      if (typeof own === 'string') return errorPages.refusedAtAccount(own)
      const { transaction: visit, secret } = own
      const outcome = await signIn(visitor, fields, visit.id)
      if (outcome.kind === 'signed-in') return redirectAnswer(303, visit.destination, outcome.cookies)
      return redirectAnswer(303, pageSignInPath(visits.withFailure(visit, outcome.failed, secret).sealed))
    },

    signOut: (visitor: Visitor, fields: FormFields) => act(visitor, fields, 'sign-out', signOut),

    /** The user has signed out of the portal: ends the session of the same user in this browser. */
    async endWithPortal(visitor: Visitor, query: URLSearchParams) {
      const userId = signOutTickets.read(query.get('ticket') ?? '', 'account')?.userId
      const signedIn = await sessions.find(visitor)
      if (userId === undefined || signedIn?.user.id !== userId) return redirectAnswer(303, signedOutUrl)
      await sessions.end(signedIn.session)
      audit({ event: 'signed-out', userId })
      return redirectAnswer(303, signedOutUrl, forgottenSessionCookie)
    },

    async changePassword(visitor: Visitor, fields: FormFields) {
      const owner = await sessions.findOwner(visitor)
      return oneAtATime(
        owner?.userId ?? '',
        async () =>
          (await repeatPasswordChange(visitor, fields)) ??
          act(visitor, fields, 'password', (signedIn) => changePassword(signedIn, visitor, fields)),
      )
    },

    askRevoke: (visitor: Visitor, clientId: string) =>
      showTo(visitor, revokeAccessPath(clientId), async (signedIn, secret, cookie) => {
        const approved = await consents.find(signedIn.user.id, clientId)
        if (!approved) return redirectAnswer(303, accountPath, cookie)
        return revokeAccessPage({ ...toAsked(signedIn, secret), approved }, cookie)
      }),

    revoke: (visitor: Visitor, clientId: string, fields: FormFields) =>
      act(visitor, fields, `revoke:${clientId}`, async ({ user, session }) => {
        if (await consents.withdraw(user.id, clientId)) audit({ event: 'access-revoked', userId: user.id, clientId })
        return toAccount(session, 'access-revoked')
      }),

    askEndSession: (visitor: Visitor, sessionId: string) =>
      showTo(visitor, sessionPath(sessionId), async (signedIn, secret, cookie) => {
        const chosen = (await sessions.list(signedIn.user)).find(({ id }) => id === sessionId)
        if (!chosen) return redirectAnswer(303, accountPath, cookie)
        const isOwn = chosen.id === signedIn.session.id
        return endSessionPage({ ...toAsked(signedIn, secret), chosen, isOwn }, cookie)
      }),

    endOthers: (visitor: Visitor, fields: FormFields) =>
      act(visitor, fields, 'end-others', async ({ user, session }) => {
        const others = (await sessions.list(user)).filter(({ id }) => id !== session.id)
        for (const other of others) await sessions.end(other)
        if (others.length > 0) audit({ event: 'session-ended', userId: user.id })
        return toAccount(session, 'other-sessions-ended')
      }),

    endSession: (visitor: Visitor, sessionId: string, fields: FormFields) =>
      act(visitor, fields, `end-session:${sessionId}`, async (signedIn) => {
        const { user, session } = signedIn
        if (sessionId === session.id) return signOut(signedIn)
        const chosen = (await sessions.list(user)).find(({ id }) => id === sessionId)
        if (chosen) {
          await sessions.end(chosen)
          audit({ event: 'session-ended', userId: user.id })
        }
        return toAccount(session, 'session-ended')
      }),
  }
}
