/** Operator commands on accounts. In: validated entries. Out: views; AdminError for conflicts. */
import type { Account, Directory } from '../ports/storage/directory.ts'
import { AdminError } from './admin-error.ts'
import type { AccountEntry } from './entries.ts'
import { disownAll } from './former-owners.ts'
import { removeAll, whereAccount } from './owned-records.ts'
import type { AccountView } from './views.ts'

export interface AccountAdmin {
  add(entry: AccountEntry): Promise<AccountView>
  list(): Promise<AccountView[]>
  /** Refused while it has users, clients or sensors. Its requests to register sensors are deleted. */
  remove(accountId: string): Promise<AccountView>
}

export function accountAdmin({ directory }: { directory: Directory }): AccountAdmin {
  return {
    add: (account) => addAccount(account, directory),
    list: () => directory.list('account'),
    async remove(accountId) {
      const account = await getAccount(directory, accountId)
      for (const [kind, command] of ownedKinds) {
        const [first] = await directory.list(kind, { ...whereAccount(accountId), limit: 1 })
        if (!first) continue
        throw new AdminError(
          'conflict',
          `The account "${accountId}" has ${command}; remove them first: posrep-server ${command} list --account ${accountId}`,
        )
      }
      await removeAll(directory, 'sensorRequest', { index: 'accountId', equals: accountId })
      await disownAll(directory, accountId)
      await directory.remove('airAreas', accountId)
      await directory.remove('account', accountId)
      return account
    },
  }
}

/** @throws AdminError `taken` */
export async function addAccount(account: AccountEntry, directory: Directory): Promise<AccountView> {
  if (await directory.insert('account', account)) return account
  throw new AdminError('taken', `The account "${account.id}" already exists; choose another id`)
}

/** What an account owns, and the commands on it. Sensors first, because a client with sensors cannot be removed. */
const ownedKinds = [
  ['device', 'sensors'],
  ['client', 'clients'],
  ['user', 'users'],
] as const

/** @throws AdminError `not_found` */
export async function checkAccount(directory: Directory, accountId: string): Promise<void> {
  await getAccount(directory, accountId)
}

async function getAccount(directory: Directory, accountId: string): Promise<Account> {
  const account = await directory.find('account', accountId)
  if (account) return account
  throw new AdminError(
    'not_found',
    `There is no account "${accountId}"; to list the accounts: posrep-server accounts list`,
  )
}
