/**
 * Users: sign-in, and the creation of an account at the login step (specification, "What the service does", 4).
 * Both take the same work and fail with the same message, whether or not the user exists.
 */
import { randomUUID } from 'node:crypto'
import { hasInvisible } from '@posrep/kernel/visible'
import { ApiError } from '../../errors.ts'
import type { Directory, User } from '../../ports/storage/directory.ts'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword, isPassword, isPasswordLength } from './password.ts'
import type { SignInFailure } from './sign-in-transaction.ts'

export type SignInOutcome =
  | { kind: 'signed-in'; user: User; isNew: boolean }
  | { kind: 'refused'; failure: SignInFailure }

export interface Users {
  /** Undefined for a disabled user, too. */
  find(userId: string): Promise<User | undefined>
  signIn(email: string, password: string): Promise<SignInOutcome>
  /** Creates a user with an account of its own. Signs in an existing user who sends the right password. */
  create(email: string, password: string): Promise<SignInOutcome>
  /** The user with the new password. Undefined if it was changed to another one since `user` was read. */
  changePassword(user: User, password: string): Promise<User | undefined>
}

const maxEmailLength = 254

/**
 * The one form in which an e-mail address is stored, compared and counted: lower-case, and in NFC, as RFC 6532 §3.1
 * recommends. NFKC would make different mailboxes the same.
 */
export function toEmail(typed: string): string {
  return typed.trim().toLowerCase().normalize('NFC')
}

export function isEmail(email: string): boolean {
  return email.length <= maxEmailLength && /^[^\s@]+@[^\s@]+$/.test(email) && !hasInvisible(email)
}

export interface UsersOptions {
  directory: Directory
  /** At this number of users, nobody can create one without an operator. Default 100,000: about 100 MB. */
  maxUsers?: number
  /** Whether people can create an account. Default true. */
  canSignUp?: boolean
}

export function createUsers({ directory, maxUsers = 100_000, canSignUp = true }: UsersOptions): Users {
  async function findByEmail(email: string): Promise<User | undefined> {
    const [user] = await directory.list('user', { where: { index: 'email', equals: email }, limit: 1 })
    return user
  }

  async function signIn(email: string, password: string): Promise<SignInOutcome> {
    const user = await findByEmail(email)
    const isRight = await isPassword(password, user?.passwordHash)
    return user && !user.disabled && isRight ? { kind: 'signed-in', user, isNew: false } : refused('wrong-credentials')
  }

  return {
    async find(userId) {
      const user = await directory.find('user', userId)
      return user?.disabled ? undefined : user
    },
    signIn: (email, password) => signIn(toEmail(email), password),
    async create(typedEmail, password) {
      const email = toEmail(typedEmail)
      if (!canSignUp) return refused('sign-up-off')
      if (!isEmail(email)) return refused('wrong-email')
      if (!isPasswordLength(password)) return refused('wrong-password-length')
      if (await findByEmail(email)) return signIn(email, password)
      if (await isCommonPassword(password)) return refused('common-password')
      if ((await directory.count('user')) >= maxUsers) throw full()

      const passwordHash = await hashPassword(password)
      const account = { id: randomUUID(), name: email }
      const user: User = { id: randomUUID(), email, passwordHash, accountId: account.id, disabled: false }
      await directory.insert('account', account)
      if (await directory.insert('user', user)) return { kind: 'signed-in', user, isNew: true }
      // Another request has created a user with this email.
      await directory.remove('account', account.id)
      return signIn(email, password)
    },
    async changePassword({ id, passwordHash: former }, password) {
      const passwordHash = await hashPassword(password)
      const changed = await directory.update('user', id, (current) =>
        current.passwordHash === former ? { ...current, passwordHash } : current,
      )
      if (!changed || changed.passwordHash === passwordHash) return changed
      // The second click of a double click: the first one made the change.
      return (await isPassword(password, changed.passwordHash)) ? changed : undefined
    },
  }
}

function full(): ApiError {
  return new ApiError('too_many_requests', 'This server has no room for more accounts; ask its operator for one', {
    headers: { 'Retry-After': '3600' },
  })
}

function refused(failure: SignInFailure): SignInOutcome {
  return { kind: 'refused', failure }
}
