/**
 * What happens between the authorization request and its answer: sign in, or create an account; then approve or deny.
 * In: a transaction, the browser's cookies, the fields of a form. Out: a page, or a redirect; every form ends in a 303.
 */
import type { Clock } from '../ports/clock.ts'
import type { Directory } from '../ports/directory.ts'
import type { Audit } from './audit.ts'
import type { AuthorizationCodes } from './authorization-code.ts'
import { type PageAnswer, redirectAnswer } from './pages/answer.ts'
import { approvalPage } from './pages/approve.tsx'
import { endedPage, forgedFormPage, tamperedFormPage } from './pages/error.tsx'
import { interactionPath } from './pages/paths.ts'
import { signInPage } from './pages/sign-in.tsx'
import { toRedirect } from './redirect-uri.ts'
import { isSameSecret } from './secrets.ts'
import { findBrowserSecret, type Sessions } from './session.ts'
import { type Transaction, type Transactions, toCode, toFormToken } from './transaction.ts'
import type { Users } from './users.ts'

export interface Visitor {
  cookies: string | undefined
  address: string
}

/** A form's fields as they were parsed; only a field that was sent once is a string. */
export type FormFields = Record<string, unknown>

export interface Interaction {
  /** The page that comes next for this browser: sign in or approve. */
  ask(
    transaction: Transaction,
    visitor: { cookies: string | undefined; browser: { secret: string; cookie?: string } },
  ): Promise<PageAnswer>
  show(transactionId: string, visitor: Visitor): Promise<PageAnswer>
  signIn(transactionId: string, visitor: Visitor, fields: FormFields): Promise<PageAnswer>
  signOut(transactionId: string, visitor: Visitor, fields: FormFields): Promise<PageAnswer>
  decide(transactionId: string, visitor: Visitor, fields: FormFields): Promise<PageAnswer>
}

export interface InteractionOptions {
  directory: Directory
  users: Users
  sessions: Sessions
  transactions: Transactions
  codes: AuthorizationCodes
  clock: Clock
  authOrigin: string
  audit: Audit
}

export function createInteraction(options: InteractionOptions): Interaction {
  const { directory, users, sessions, transactions, codes, clock, authOrigin, audit } = options

  const ask: Interaction['ask'] = async (transaction, { cookies, browser }) => {
    const client = await directory.find('client', transaction.clientId)
    if (!client || transaction.decision !== null) return endedPage()
    const { secret, cookie } = browser
    const user = await findUser(cookies)
    if (!user) {
      const formToken = toFormToken(secret, transaction.id, 'sign-in')
      return signInPage({ transaction, client, formToken }, cookie)
    }
    const account = await directory.find('account', client.accountId)
    const formToken = toFormToken(secret, transaction.id, `decide:${user.id}`)
    return approvalPage({ transaction, client, account, user, formToken }, cookie)
  }

  async function findUser(cookies: string | undefined) {
    const session = await sessions.find(cookies)
    return session && users.find(session.userId)
  }

  /** True when the form was sent from the page that this browser was shown. */
  function isOwnForm(transactionId: string, { cookies }: Visitor, fields: FormFields, purpose: string): boolean {
    const secret = findBrowserSecret(cookies)
    return secret !== undefined && isSameSecret(toText(fields.form_token), toFormToken(secret, transactionId, purpose))
  }

  async function findTransaction(id: string, { cookies }: Visitor): Promise<Transaction | undefined> {
    const secret = findBrowserSecret(cookies)
    return secret === undefined ? undefined : transactions.find(id, secret)
  }

  async function approve(transaction: Transaction, userId: string, browserSecret: string): Promise<PageAnswer> {
    const { clientId, redirectUri, scopes, state, codeChallenge } = transaction
    const code = toCode(browserSecret, transaction.id, userId)
    const isFirst = await codes.write(code, { clientId, redirectUri, userId, scopes, codeChallenge })
    // The second click of two goes where the first one went, unless the client has been there.
    if (!isFirst && (await codes.find(code))?.state !== 'live') return endedPage()
    if (isFirst) {
      await writeConsent(userId, transaction)
      audit({ event: 'approved', userId, clientId, scopes })
    }
    return redirectAnswer(303, toRedirect(redirectUri, { code, state: state ?? undefined, iss: authOrigin }))
  }

  async function writeConsent(userId: string, { clientId, scopes }: Transaction): Promise<void> {
    const consent = { id: `${userId}:${clientId}`, userId, clientId, scopes, grantedAtMs: clock.now() }
    if (await directory.insert('consent', consent)) return
    await directory.update('consent', consent.id, () => consent)
  }

  return {
    ask,

    async show(transactionId, visitor) {
      const secret = findBrowserSecret(visitor.cookies)
      const transaction = await findTransaction(transactionId, visitor)
      if (!transaction || secret === undefined) return endedPage()
      return ask(transaction, { cookies: visitor.cookies, browser: { secret } })
    },

    async signIn(transactionId, visitor, fields) {
      if (!isOwnForm(transactionId, visitor, fields, 'sign-in')) return forgedFormPage()
      const transaction = await findTransaction(transactionId, visitor)
      if (!transaction) return endedPage()
      const email = toText(fields.email)
      const password = toText(fields.password)
      const isNew = fields.action === 'create-account'
      const outcome = isNew ? await users.create(email, password) : await users.signIn(email, password)
      if (outcome.kind === 'refused') {
        audit({ event: 'sign-in-failed', address: visitor.address })
        await transactions.noteFailure(transaction, { kind: outcome.failure, email: email.slice(0, 254) })
        return redirectAnswer(303, interactionPath(transactionId))
      }
      const { user } = outcome
      if (outcome.isNew) audit({ event: 'account-created', userId: user.id, accountId: user.accountId })
      audit({ event: 'signed-in', userId: user.id })
      if (transaction.failure) await transactions.noteFailure(transaction, null)
      return redirectAnswer(303, interactionPath(transactionId), await sessions.begin(user.id, visitor.cookies))
    },

    async signOut(transactionId, visitor, fields) {
      const user = await findUser(visitor.cookies)
      if (!user || !isOwnForm(transactionId, visitor, fields, `decide:${user.id}`)) return forgedFormPage()
      return redirectAnswer(303, interactionPath(transactionId), await sessions.end(visitor.cookies))
    },

    async decide(transactionId, visitor, fields) {
      const user = await findUser(visitor.cookies)
      const secret = findBrowserSecret(visitor.cookies)
      // The token names the user to whom the page was shown: another one who has signed in since has not seen it.
      if (!user || !secret || !isOwnForm(transactionId, visitor, fields, `decide:${user.id}`)) return forgedFormPage()
      const wanted = toDecision(fields)
      if (!wanted) return tamperedFormPage()
      const transaction = await findTransaction(transactionId, visitor)
      const client = transaction && (await directory.find('client', transaction.clientId))
      if (!transaction || !client?.redirectUris.includes(transaction.redirectUri)) return endedPage()
      switch (await transactions.decide(transaction, wanted)) {
        case 'approved':
          return approve(transaction, user.id, secret)
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

/** The approval form has two fields; one with more in it is not the one that was shown. */
function toDecision(fields: FormFields): 'approved' | 'denied' | undefined {
  const names = Object.keys(fields)
  if (names.some((name) => name !== 'form_token' && name !== 'decision')) return undefined
  if (fields.decision === 'approve') return 'approved'
  return fields.decision === 'deny' ? 'denied' : undefined
}

function toText(field: unknown): string {
  return typeof field === 'string' ? field : ''
}
