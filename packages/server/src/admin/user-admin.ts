/**
 * Operator commands on users.
 * In: validated entries; an e-mail address. Out: views; AdminError for conflicts.
 * Commands that stop a user also revoke the user's tokens and sessions.
 */

import { randomUUID } from 'node:crypto'
import type { Audit } from '../identity/audit.ts'
import { resetPath } from '../identity/pages/paths.ts'
import { isCommonPassword } from '../identity/people/common-passwords.ts'
import { hashPassword } from '../identity/people/password.ts'
import { type ResetLinks, resetLinkTtlMs } from '../identity/people/reset-links.ts'
import { toEmail } from '../identity/people/users.ts'
import type { Revocations } from '../identity/revocation/revocations.ts'
import type { Clock } from '../ports/clock.ts'
import type { Directory, User } from '../ports/storage/directory.ts'
import { checkAccount } from './account-admin.ts'
import { AdminError } from './admin-error.ts'
import type { UserEntry } from './entries.ts'
import { removeAll, whereAccount } from './owned-records.ts'
import { toTime, toUserView, type UserView } from './views.ts'

export interface UserAdmin {
  add(entry: UserEntry): Promise<UserView>
  list(options?: { account?: string | undefined }): Promise<UserView[]>
  /** The user cannot sign in; tokens and sessions are revoked. */
  disable(email: string): Promise<UserView>
  enable(email: string): Promise<UserView>
  setPassword(email: string, password: string): Promise<UserView>
  /** A link with which the user sets a new password: it works once, within an hour. */
  resetLink(email: string): Promise<{ email: string; url: string; expiresAt: string }>
  /** Moves the user to another account. Tokens name the account, so they are revoked. */
  move(email: string, account: string): Promise<UserView>
  /**
   * The user's tokens and sessions are revoked and the approvals deleted. Somebody may sign up with the address again.
   */
  remove(email: string): Promise<UserView>
}

export interface UserAdminOptions {
  directory: Directory
  resetLinks: Pick<ResetLinks, 'issue'>
  /** The public origin of the identity provider, for links. */
  authOrigin: string | undefined
  revoke: Revocations['revoke']
  audit: Audit
  clock: Clock
}

export function userAdmin({ directory, resetLinks, authOrigin, revoke, audit, clock }: UserAdminOptions): UserAdmin {
  async function change(email: string, part: Partial<Omit<User, 'id' | 'email'>>): Promise<User> {
    const found = await findUser(email, directory)
    const changed = found && (await directory.update('user', found.id, (current) => ({ ...current, ...part })))
    if (changed) return changed
    throw noUser(email)
  }

  /** Changes the record before it revokes, so that tokens issued in between are revoked too. */
  async function changeAndRevoke(email: string, part: Partial<Omit<User, 'id' | 'email'>>): Promise<UserView> {
    const user = await change(email, part)
    await revoke(`user:${user.id}`)
    return toUserView(user)
  }

  return {
    async add(entry) {
      await checkUncommon(entry.password)
      return addUser(entry, directory)
    },
    async list({ account } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      const users = await directory.list('user', whereAccount(account))
      return users.map(toUserView).sort((a, b) => (a.email < b.email ? -1 : 1))
    },
    disable: (email) => changeAndRevoke(email, { disabled: true }),
    enable: async (email) => toUserView(await change(email, { disabled: false })),
    async setPassword(email, password) {
      await checkUncommon(password)
      return changeAndRevoke(email, { passwordHash: await hashPassword(password) })
    },
    async resetLink(email) {
      // The storage does not know where its servers are reached.
      if (authOrigin === undefined) {
        throw new AdminError(
          'refused',
          'The link needs the public origin of the server; give it with --auth-origin, as the server has it, or POSREP_AUTH_ORIGIN',
        )
      }
      const user = await findUser(email, directory)
      if (!user) throw noUser(email)
      if (user.disabled) {
        throw new AdminError('not_found', `The user "${email}" is disabled; first: posrep-server users enable ${email}`)
      }
      const url = `${authOrigin}${resetPath(await resetLinks.issue(user))}`
      audit({ event: 'reset-link-issued', userId: user.id })
      return { email: user.email, url, expiresAt: toTime(clock.now() + resetLinkTtlMs) }
    },
    async move(email, account) {
      await checkAccount(directory, account)
      return changeAndRevoke(email, { accountId: account })
    },
    async remove(email) {
      // Disables first: if this process dies here, nothing valid is left, and the command can be repeated.
      const user = await changeAndRevoke(email, { disabled: true })
      await removeAll(directory, 'consent', { index: 'userId', equals: user.id })
      await directory.remove('user', user.id)
      return user
    },
  }
}

/**
 * @throws AdminError `not_found` for the account, `taken` before the password is hashed, which takes a large part of a
 * second
 */
export async function addUser({ email: typed, password, account }: UserEntry, directory: Directory): Promise<UserView> {
  await checkAccount(directory, account)
  const email = toEmail(typed)
  checkFree(await findUser(email, directory))
  const passwordHash = await hashPassword(password)
  const user: User = { id: randomUUID(), email, passwordHash, accountId: account, disabled: false }
  if (!(await directory.insert('user', user))) checkFree(await findUser(email, directory))
  return toUserView(user)
}

export async function findUser(email: string, directory: Directory): Promise<User | undefined> {
  const [user] = await directory.list('user', { where: { index: 'email', equals: toEmail(email) }, limit: 1 })
  return user
}

async function checkUncommon(password: string): Promise<void> {
  if (!(await isCommonPassword(password))) return
  throw new AdminError('refused', 'Many people have this password, so attackers try it first; choose another one')
}

function noUser(email: string): AdminError {
  return new AdminError('not_found', `There is no user "${email}"; to list the users: posrep-server users list`)
}

function checkFree(existing: User | undefined): void {
  if (!existing) return
  throw new AdminError('taken', `The user "${existing.email}" already exists, in the account "${existing.accountId}"`)
}
