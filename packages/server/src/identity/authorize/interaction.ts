/**
 * The steps between an authorization request and its answer: sign in or create an account, then approve or deny.
 * In: a transaction, the browser's cookies, the fields of a form. Out: a page or a redirect (303 after a form).
 */

import { createThrottle } from '../../http/throttle.ts'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import type { FormFields } from '../../pages/forms/form-fields.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Directory, User } from '../../ports/storage/directory.ts'
import type { SharedCounts } from '../../ports/storage/shared-counts.ts'
import { type BrowserSecret, forgottenSessionCookie, type Visitor } from '../../web/cookies.ts'
import type { Audit } from '../audit.ts'
import { approvalPage } from '../pages/approve.tsx'
import type { ErrorPages } from '../pages/error.tsx'
import { interactionPath } from '../pages/paths.ts'
import { signInPage } from '../pages/sign-in.tsx'
import type { Consents } from '../people/consents.ts'
import { findOwn, findOwnForm, type Own } from '../people/own-form.ts'
import { isBegunBy, type Sessions } from '../people/session.ts'
import type { SignIn } from '../people/sign-in.ts'
import {
  type AuthorizationRequest,
  type Transaction,
  type Transactions,
  toCode,
  toFormToken,
} from '../people/sign-in-transaction.ts'
import { subjectsOf } from '../revocation/revocation-subject.ts'
import type { Revocations } from '../revocation/revocations.ts'
import type { AuthorizationCodes } from './authorization-code.ts'
import type { Decision, Decisions } from './decisions.ts'
import { isRegistered, toRedirect } from './redirect-uri.ts'

export interface Interaction {
  /** The next page for this browser: sign in or approve. */
  ask(transaction: Transaction, visitor: Visitor, browser: BrowserSecret): Promise<PageAnswer>
  show(visitor: Visitor, sealed: string): Promise<PageAnswer>
  signIn(visitor: Visitor, sealed: string, fields: FormFields): Promise<PageAnswer>
  signOut(visitor: Visitor, sealed: string, fields: FormFields): Promise<PageAnswer>
  decide(visitor: Visitor, sealed: string, fields: FormFields): Promise<PageAnswer>
}

export interface InteractionOptions {
  directory: Directory
  sessions: Sessions
  signIn: SignIn
  consents: Consents
  transactions: Transactions
  decisions: Decisions
  codes: AuthorizationCodes
  revocations: Pick<Revocations, 'issuedAfter'>
  /** Whether people can create an account. */
  canSignUp: boolean
  authOrigin: string
  /** The origin of the portal. */
  uiOrigin: string
  errorPages: ErrorPages
  clock: Clock
  /** Default: this process counts alone. */
  sharedCounts?: SharedCounts | undefined
  audit: Audit
}

/** A record of each decision is kept for half an hour, and of each code for an hour. */
const maxDecisionsPerHour = 600

export function createInteraction(options: InteractionOptions): Interaction {
  const { directory, sessions, signIn, consents, transactions, decisions, codes, revocations } = options
  const { authOrigin, uiOrigin, canSignUp, errorPages, clock, sharedCounts, audit } = options
  const approvals = createThrottle({
    clock,
    limit: maxDecisionsPerHour,
    windowMs: 60 * 60_000,
    message: `More than ${maxDecisionsPerHour} approvals of this user in an hour`,
    shared: sharedCounts && { counts: sharedCounts, name: 'approvals', step: 8 },
  })

  const ask: Interaction['ask'] = async (transaction, visitor, { secret, cookie }) => {
    const client = await directory.find('client', transaction.clientId)
    if (!client || client.disabled) return errorPages.ended('application-changed')
    const user = await findUserFor(transaction, visitor)
    if (!user) {
      const formToken = toFormToken(secret, transaction.id, 'sign-in')
      const action = interactionPath(transaction.sealed, 'sign-in')
      const { failure: failed, loginHint: hint } = transaction
      return signInPage({ action, formToken, goal: client.name, failed, hint, canSignUp }, cookie)
    }
    const account = await directory.find('account', client.accountId)
    const formToken = toFormToken(secret, transaction.id, toDecisionPurpose(user))
    // Apps of others have other origins.
    const isOwnPortal = new URL(transaction.redirectUri).origin === uiOrigin
    return approvalPage({ transaction, client, account, user, formToken, isOwnPortal }, cookie)
  }

  async function findUser(visitor: Visitor) {
    return (await sessions.find(visitor))?.user
  }

  /** With `prompt=login` only the user who signed in for this request counts. */
  async function findUserFor(transaction: Transaction, visitor: Visitor) {
    const signedIn = await sessions.find(visitor)
    return signedIn && (!transaction.asksPassword || isBegunBy(signedIn.session, transaction.id))
      ? signedIn.user
      : undefined
  }

  async function approve({ transaction, secret }: Own<AuthorizationRequest>, visitor: Visitor, userId: string) {
    const { clientId, redirectUri, scopes, codeChallenge } = transaction
    const issuedAfterMs = await revocations.issuedAfter(subjectsOf(clientId, { kind: 'user', userId }))
    // Reads the session again: no code is issued if it has ended, and a later revocation voids the code.
    if ((await findUser(visitor))?.id !== userId) return errorPages.refused('signed-out')
    const code = toCode(secret, transaction.id, userId)
    const isFirst = await codes.write(code, { clientId, redirectUri, userId, scopes, codeChallenge, issuedAfterMs })
    // The second click of a double click is redirected like the first one, unless the client has used the code.
    if (!isFirst && (await codes.find(code))?.state !== 'live') return errorPages.refused('answered')
    if (isFirst) {
      await consents.write(userId, { clientId, scopes })
      audit({ event: 'approved', userId, clientId, scopes })
    }
    return redirectAnswer(303, toRedirect(redirectUri, { code, state: toState(transaction), iss: authOrigin }))
  }

  function deny(transaction: Transaction, userId: string): PageAnswer {
    audit({ event: 'denied', userId, clientId: transaction.clientId })
    const refusal = { error: 'access_denied', error_description: 'The user denied the request' }
    const answer = { ...refusal, state: toState(transaction), iss: authOrigin }
    return redirectAnswer(303, toRedirect(transaction.redirectUri, answer))
  }

  /** A user who has approved may still deny, until the client has used the code. */
  async function denyAfterApproval(
    { transaction, secret }: Own<AuthorizationRequest>,
    approval: Decision,
  ): Promise<PageAnswer> {
    const code = toCode(secret, transaction.id, approval.userId)
    if (!(await codes.void(code, transaction.clientId))) return errorPages.refused('answered')
    await decisions.withdraw(transaction, approval)
    return deny(transaction, approval.userId)
  }

  return {
    ask,

    async show(visitor, sealed) {
      const own = findOwn(transactions, visitor, sealed)
      if (typeof own === 'string') return errorPages.ended(own)
      const isDecided = (await decisions.find(own.transaction)) !== undefined
      return isDecided ? errorPages.ended('answered') : ask(own.transaction, visitor, { secret: own.secret })
    },

    async signIn(visitor, sealed, fields) {
      const own = findOwnForm(transactions, visitor, sealed, fields, 'sign-in')
      if (typeof own === 'string') return errorPages.refused(own)
      const { transaction, secret } = own
      const outcome = await signIn(visitor, fields, transaction.id)
      const failed = outcome.kind === 'refused' ? outcome.failed : null
      const cookies = outcome.kind === 'signed-in' ? outcome.cookies : undefined
      return redirectAnswer(303, interactionPath(transactions.withFailure(transaction, failed, secret).sealed), cookies)
    },

    async signOut(visitor, sealed, fields) {
      const signedIn = await sessions.find(visitor)
      const own = findOwnForm(transactions, visitor, sealed, fields, toDecisionPurpose(signedIn?.user))
      if (typeof own === 'string') return errorPages.refused(own)
      if (signedIn) {
        await sessions.end(signedIn.session)
        audit({ event: 'signed-out', userId: signedIn.user.id })
      }
      return redirectAnswer(303, interactionPath(sealed), forgottenSessionCookie)
    },

    async decide(visitor, sealed, fields) {
      const user = await findUser(visitor)
      // The token is bound to the user who saw the page: another user may have signed in since.
      const own = findOwnForm(transactions, visitor, sealed, fields, toDecisionPurpose(user))
      if (typeof own === 'string') return errorPages.refused(own)
      if (!user) return errorPages.refused('signed-out')
      const wanted = toDecision(fields)
      if (!wanted) return errorPages.refused('unknown-answer')
      const { transaction } = own
      const client = await directory.find('client', transaction.clientId)
      if (!client || client.disabled || !isRegistered(transaction.redirectUri, client.redirectUris))
        return errorPages.refused('application-changed')
      approvals.check(user.id)
      approvals.count(user.id)
      const decision = await decisions.decide(transaction, { kind: wanted, userId: user.id })
      if (decision?.userId !== user.id) return errorPages.refused('answered')
      if (decision.kind === 'denied') return deny(transaction, user.id)
      return wanted === 'denied' ? denyAfterApproval(own, decision) : approve(own, visitor, user.id)
    },
  }
}

/** Of a visitor who is signed out no page has the token. */
function toDecisionPurpose(user: User): string
function toDecisionPurpose(user: User | undefined): string | undefined
function toDecisionPurpose(user: User | undefined): string | undefined {
  return user && `decide:${user.id}`
}

function toState({ encodedState }: Transaction): string | undefined {
  return encodedState === null ? undefined : Buffer.from(encodedState, 'base64url').toString('utf8')
}

/** The approval form has two fields; a form with other fields did not come from our page. */
function toDecision(fields: FormFields): Decision['kind'] | undefined {
  const names = Object.keys(fields)
  if (names.some((name) => name !== 'form_token' && name !== 'decision')) return undefined
  if (fields.decision === 'approve') return 'approved'
  return fields.decision === 'deny' ? 'denied' : undefined
}
