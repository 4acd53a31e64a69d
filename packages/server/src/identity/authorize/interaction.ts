/**
 * The steps between an authorization request and its answer: sign in or create an account, then approve or deny.
 * In: a transaction, the browser's cookies, the fields of a form. Out: a page or a redirect (303 after a form).
 */

import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import { isSameSecret } from '../../secrets.ts'
import { type BrowserSecret, findBrowserSecret, forgottenSessionCookie, type Visitor } from '../../web/cookies.ts'
import type { Audit } from '../audit.ts'
import { approvalPage } from '../pages/approve.tsx'
import type { ErrorPages } from '../pages/error.tsx'
import { interactionPath } from '../pages/paths.ts'
import { signInPage } from '../pages/sign-in.tsx'
import type { Consents } from '../people/consents.ts'
import type { Sessions } from '../people/session.ts'
import type { SignIn } from '../people/sign-in.ts'
import { type Transaction, type Transactions, toCode, toFormToken } from '../people/sign-in-transaction.ts'
import { subjectsOf } from '../revocation/revocation-subject.ts'
import type { Revocations } from '../revocation/revocations.ts'
import type { AuthorizationCodes } from './authorization-code.ts'
import type { Decision, Decisions } from './decisions.ts'
import { toRedirect } from './redirect-uri.ts'

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
  authOrigin: string
  errorPages: ErrorPages
  audit: Audit
}

/** A transaction of this browser, and the browser's secret. */
interface Own {
  transaction: Transaction
  secret: string
}

export function createInteraction(options: InteractionOptions): Interaction {
  const { directory, sessions, signIn, consents, transactions, decisions, codes, revocations } = options
  const { authOrigin, errorPages, audit } = options

  const ask: Interaction['ask'] = async (transaction, visitor, { secret, cookie }) => {
    const client = await directory.find('client', transaction.clientId)
    if (!client || client.disabled) return errorPages.ended()
    const user = await findUser(visitor)
    if (!user) {
      const formToken = toFormToken(secret, transaction.id, 'sign-in')
      const action = interactionPath(transaction.sealed, 'sign-in')
      return signInPage({ action, formToken, goal: client.name, failed: transaction.failure }, cookie)
    }
    const account = await directory.find('account', client.accountId)
    const formToken = toFormToken(secret, transaction.id, `decide:${user.id}`)
    return approvalPage({ transaction, client, account, user, formToken }, cookie)
  }

  async function findUser(visitor: Visitor) {
    return (await sessions.find(visitor))?.user
  }

  function findOwn({ cookies }: Visitor, sealed: string): Own | undefined {
    const secret = findBrowserSecret(cookies)
    const transaction = transactions.find(sealed, secret)
    return transaction && secret !== undefined ? { transaction, secret } : undefined
  }

  /** The transaction of a form that comes from the page that this browser was shown. */
  function findOwnForm(visitor: Visitor, sealed: string, fields: FormFields, purpose: string): Own | undefined {
    const own = findOwn(visitor, sealed)
    if (!own) return undefined
    const expected = toFormToken(own.secret, own.transaction.id, purpose)
    return isSameSecret(toText(fields.form_token), expected) ? own : undefined
  }

  async function approve({ transaction, secret }: Own, visitor: Visitor, userId: string) {
    const { clientId, redirectUri, scopes, codeChallenge } = transaction
    const issuedAfterMs = await revocations.issuedAfter(subjectsOf(clientId, { kind: 'user', userId }))
    // Reads the session again: no code is issued if it has ended, and a later revocation voids the code.
    if ((await findUser(visitor))?.id !== userId) return errorPages.forgedForm()
    const code = toCode(secret, transaction.id, userId)
    const isFirst = await codes.write(code, { clientId, redirectUri, userId, scopes, codeChallenge, issuedAfterMs })
    // The second click of a double click is redirected like the first one, unless the client has used the code.
    if (!isFirst && (await codes.find(code))?.state !== 'live') return errorPages.ended()
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
  async function denyAfterApproval({ transaction, secret }: Own, approval: Decision): Promise<PageAnswer> {
    const code = toCode(secret, transaction.id, approval.userId)
    if (!(await codes.void(code, transaction.clientId))) return errorPages.ended()
    await decisions.withdraw(transaction, approval)
    return deny(transaction, approval.userId)
  }

  return {
    ask,

    async show(visitor, sealed) {
      const own = findOwn(visitor, sealed)
      if (!own || !transactions.isLive(own.transaction)) return errorPages.ended()
      const isDecided = (await decisions.find(own.transaction)) !== undefined
      return isDecided ? errorPages.ended() : ask(own.transaction, visitor, { secret: own.secret })
    },

    async signIn(visitor, sealed, fields) {
      const own = findOwnForm(visitor, sealed, fields, 'sign-in')
      if (!own) return errorPages.forgedForm()
      const { transaction, secret } = own
      if (!transactions.isLive(transaction)) return errorPages.ended()
      const outcome = await signIn(visitor, fields, transaction.id)
      const failed = outcome.kind === 'refused' ? outcome.failed : null
      const cookies = outcome.kind === 'signed-in' ? outcome.cookies : undefined
      return redirectAnswer(303, interactionPath(transactions.withFailure(transaction, failed, secret).sealed), cookies)
    },

    async signOut(visitor, sealed, fields) {
      const signedIn = await sessions.find(visitor)
      if (!signedIn || !findOwnForm(visitor, sealed, fields, `decide:${signedIn.user.id}`))
        return errorPages.forgedForm()
      await sessions.end(signedIn.session)
      audit({ event: 'signed-out', userId: signedIn.user.id })
      return redirectAnswer(303, interactionPath(sealed), forgottenSessionCookie)
    },

    async decide(visitor, sealed, fields) {
      const user = await findUser(visitor)
      // The token is bound to the user who saw the page: another user may have signed in since.
      const own = user && findOwnForm(visitor, sealed, fields, `decide:${user.id}`)
      if (!own) return errorPages.forgedForm()
      const wanted = toDecision(fields)
      if (!wanted) return errorPages.tamperedForm()
      const { transaction } = own
      const client = transactions.isLive(transaction) && (await directory.find('client', transaction.clientId))
      if (!client || client.disabled || !client.redirectUris.includes(transaction.redirectUri))
        return errorPages.ended()
      const decision = await decisions.decide(transaction, { kind: wanted, userId: user.id })
      if (decision?.userId !== user.id) return errorPages.ended()
      if (decision.kind === 'denied') return deny(transaction, user.id)
      return wanted === 'denied' ? denyAfterApproval(own, decision) : approve(own, visitor, user.id)
    },
  }
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
