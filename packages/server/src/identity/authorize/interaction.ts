/**
 * The steps between an authorization request and its answer: sign in or create an account, then approve or deny.
 * In: a transaction, the browser's cookies, the fields of a form. Out: a page or a redirect (303 after a form).
 */

import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/form-fields.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import { isSameSecret } from '../../secrets.ts'
import { type BrowserSecret, findBrowserSecret, forgottenSessionCookie, type Visitor } from '../../web/cookies.ts'
import type { Audit } from '../audit.ts'
import { approvalPage } from '../pages/approve.tsx'
import { endedPage, forgedFormPage, tamperedFormPage } from '../pages/error.tsx'
import { interactionPath } from '../pages/paths.ts'
import { signInPage } from '../pages/sign-in.tsx'
import type { Consents } from '../people/consents.ts'
import type { Sessions } from '../people/session.ts'
import type { SignIn } from '../people/sign-in.ts'
import { type Transaction, type Transactions, toCode, toFormToken } from '../people/sign-in-transaction.ts'
import { subjectsOf } from '../revocation/revocation-subject.ts'
import type { Revocations } from '../revocation/revocations.ts'
import type { AuthorizationCodes } from './authorization-code.ts'
import { toRedirect } from './redirect-uri.ts'

export interface Interaction {
  /** The next page for this browser: sign in or approve. */
  ask(transaction: Transaction, visitor: Visitor, browser: BrowserSecret): Promise<PageAnswer>
  show(visitor: Visitor, transactionId: string): Promise<PageAnswer>
  signIn(visitor: Visitor, transactionId: string, fields: FormFields): Promise<PageAnswer>
  signOut(visitor: Visitor, transactionId: string, fields: FormFields): Promise<PageAnswer>
  decide(visitor: Visitor, transactionId: string, fields: FormFields): Promise<PageAnswer>
}

export interface InteractionOptions {
  directory: Directory
  sessions: Sessions
  signIn: SignIn
  consents: Consents
  transactions: Transactions
  codes: AuthorizationCodes
  revocations: Pick<Revocations, 'issuedAfter'>
  authOrigin: string
  audit: Audit
}

export function createInteraction(options: InteractionOptions): Interaction {
  const { directory, sessions, signIn, consents, transactions, codes, revocations, authOrigin, audit } = options

  const ask: Interaction['ask'] = async (transaction, visitor, { secret, cookie }) => {
    const client = await directory.find('client', transaction.clientId)
    if (!client || client.disabled || transaction.decision !== null) return endedPage()
    const user = await findUser(visitor)
    if (!user) {
      const formToken = toFormToken(secret, transaction.id, 'sign-in')
      const action = interactionPath(transaction.id, 'sign-in')
      return signInPage({ action, formToken, goal: client.name, failed: transaction.failure }, cookie)
    }
    const account = await directory.find('account', client.accountId)
    const formToken = toFormToken(secret, transaction.id, `decide:${user.id}`)
    return approvalPage({ transaction, client, account, user, formToken }, cookie)
  }

  async function findUser(visitor: Visitor) {
    return (await sessions.find(visitor))?.user
  }

  /** Whether the form comes from the page that this browser was shown. */
  function isOwnForm({ cookies }: Visitor, transactionId: string, fields: FormFields, purpose: string): boolean {
    const secret = findBrowserSecret(cookies)
    return secret !== undefined && isSameSecret(toText(fields.form_token), toFormToken(secret, transactionId, purpose))
  }

  async function findTransaction({ cookies }: Visitor, id: string): Promise<Transaction | undefined> {
    const secret = findBrowserSecret(cookies)
    return secret === undefined ? undefined : transactions.find(id, secret)
  }

  async function approve(transaction: Transaction, visitor: Visitor, userId: string, browserSecret: string) {
    const { clientId, redirectUri, scopes, state, codeChallenge } = transaction
    const issuedAfterMs = await revocations.issuedAfter(subjectsOf(clientId, { kind: 'user', userId }))
    // Reads the session again: no code is issued if it has ended, and a later revocation voids the code.
    if ((await findUser(visitor))?.id !== userId) return forgedFormPage()
    const code = toCode(browserSecret, transaction.id, userId)
    const isFirst = await codes.write(code, { clientId, redirectUri, userId, scopes, codeChallenge, issuedAfterMs })
    // The second click of a double click is redirected like the first one, unless the client has used the code.
    if (!isFirst && (await codes.find(code))?.state !== 'live') return endedPage()
    if (isFirst) {
      await consents.write(userId, { clientId, scopes })
      audit({ event: 'approved', userId, clientId, scopes })
    }
    return redirectAnswer(303, toRedirect(redirectUri, { code, state: state ?? undefined, iss: authOrigin }))
  }

  return {
    ask,

    async show(visitor, transactionId) {
      const secret = findBrowserSecret(visitor.cookies)
      const transaction = await findTransaction(visitor, transactionId)
      if (!transaction || secret === undefined) return endedPage()
      return ask(transaction, visitor, { secret })
    },

    async signIn(visitor, transactionId, fields) {
      if (!isOwnForm(visitor, transactionId, fields, 'sign-in')) return forgedFormPage()
      const transaction = await findTransaction(visitor, transactionId)
      if (!transaction) return endedPage()
      const outcome = await signIn(visitor, fields, transactionId)
      const failed = outcome.kind === 'refused' ? outcome.failed : null
      if (failed || transaction.failure) await transactions.recordFailure(transaction, failed)
      const cookie = outcome.kind === 'signed-in' ? outcome.cookie : undefined
      return redirectAnswer(303, interactionPath(transactionId), cookie)
    },

    async signOut(visitor, transactionId, fields) {
      const signedIn = await sessions.find(visitor)
      if (!signedIn || !isOwnForm(visitor, transactionId, fields, `decide:${signedIn.user.id}`)) return forgedFormPage()
      await sessions.end(signedIn.session)
      audit({ event: 'signed-out', userId: signedIn.user.id })
      return redirectAnswer(303, interactionPath(transactionId), forgottenSessionCookie)
    },

    async decide(visitor, transactionId, fields) {
      const user = await findUser(visitor)
      const secret = findBrowserSecret(visitor.cookies)
      // The token is bound to the user who saw the page: another user may have signed in since.
      if (!user || !secret || !isOwnForm(visitor, transactionId, fields, `decide:${user.id}`)) return forgedFormPage()
      const wanted = toDecision(fields)
      if (!wanted) return tamperedFormPage()
      const transaction = await findTransaction(visitor, transactionId)
      const client = transaction && (await directory.find('client', transaction.clientId))
      if (!transaction || !client || client.disabled) return endedPage()
      if (!client.redirectUris.includes(transaction.redirectUri)) return endedPage()
      switch (await transactions.decide(transaction, wanted)) {
        case 'approved':
          return approve(transaction, visitor, user.id, secret)
        case 'denied': {
          audit({ event: 'denied', userId: user.id, clientId: client.id })
          const { redirectUri, state } = transaction
          const refusal = { error: 'access_denied', error_description: 'The user denied the request' }
          return redirectAnswer(
            303,
            toRedirect(redirectUri, { ...refusal, state: state ?? undefined, iss: authOrigin }),
          )
        }
        case null:
          return endedPage()
      }
    },
  }
}

/** The approval form has two fields; a form with other fields did not come from our page. */
function toDecision(fields: FormFields): 'approved' | 'denied' | undefined {
  const names = Object.keys(fields)
  if (names.some((name) => name !== 'form_token' && name !== 'decision')) return undefined
  if (fields.decision === 'approve') return 'approved'
  return fields.decision === 'deny' ? 'denied' : undefined
}
