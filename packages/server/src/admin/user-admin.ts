/**
 * Operator commands on users.
 * In: validated entries; an e-mail address. Out: views; AdminError for conflicts.
 * Commands that stop a user also revoke the user's tokens and sessions.
 */

import { randomUUID } from 'node:crypto'
import { hashPassword } from '../identity/people/password.ts'
import { toEmail } from '../identity/people/users.ts'
import type { Revocations } from '../identity/revocation/revocations.ts'
import type { Directory, User } from '../ports/storage/directory.ts'
import { checkAccount } from './account-admin.ts'
import { AdminError } from './admin-error.ts'
import type { UserEntry } from './entries.ts'
import { removeAll, whereAccount } from './owned-records.ts'
import { toUserView, type UserView } from './views.ts'

export interface UserAdmin {
  add(entry: UserEntry): Promise<UserView>
  list(options?: { account?: string | undefined }): Promise<UserView[]>
  /** The user cannot sign in; tokens and sessions are revoked. */
  disable(email: string): Promise<UserView>
  enable(email: string): Promise<UserView>
  setPassword(email: string, password: string): Promise<UserView>
  /** Moves the user to another account. Tokens name the account, so they are revoked. */
  move(email: string, account: string): Promise<UserView>
  /** The user's tokens and sessions are revoked and the approvals deleted. Somebody may sign up with the address again. */
  remove(email: string): Promise<UserView>
}

export function userAdmin({ directory, revoke }: { directory: Directory; revoke: Revocations['revoke'] }): UserAdmin {
  async function findByEmail(email: string): Promise<User | undefined> {
    const [user] = await directory.list('user', { where: { index: 'email', equals: toEmail(email) }, limit: 1 })
    return user
  }

  async function change(email: string, part: Partial<Omit<User, 'id' | 'email'>>): Promise<User> {
    const found = await findByEmail(email)
    const changed = found && (await directory.update('user', found.id, (current) => ({ ...current, ...part })))
    if (changed) return changed
    throw new AdminError('not_found', `There is no user "${email}"; to list the users: posrep-server users list`)
  }

  /** Changes the record before it revokes, so that tokens issued in between are revoked too. */
  async function changeAndRevoke(email: string, part: Partial<Omit<User, 'id' | 'email'>>): Promise<UserView> {
    const user = await change(email, part)
    await revoke(`user:${user.id}`)
    return toUserView(user)
  }

  return {
    async add({ email: typed, password, account }) {
      await checkAccount(directory, account)
      const email = toEmail(typed)
      checkFree(await findByEmail(email))
      const passwordHash = await hashPassword(password)
      const user: User = { id: randomUUID(), email, passwordHash, accountId: account, disabled: false }
      if (!(await directory.insert('user', user))) checkFree(await findByEmail(email))
      return toUserView(user)
    },
    async list({ account } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      const users = await directory.list('user', whereAccount(account))
      return users.map(toUserView).sort((a, b) => (a.email < b.email ? -1 : 1))
    },
    disable: (email) => changeAndRevoke(email, { disabled: true }),
    enable: async (email) => toUserView(await change(email, { disabled: false })),
    setPassword: async (email, password) => changeAndRevoke(email, { passwordHash: await hashPassword(password) }),
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

function checkFree(existing: User | undefined): void {
  if (!existing) return
  throw new AdminError('taken', `The user "${existing.email}" already exists, in the account "${existing.accountId}"`)
}
