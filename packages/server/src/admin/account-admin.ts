/** Operator commands on accounts. In: validated entries. Out: views; AdminError for conflicts. */
import type { Directory } from '../ports/storage/directory.ts'
import { AdminError } from './admin-error.ts'
import type { AccountEntry } from './entries.ts'
import type { AccountView } from './views.ts'

export interface AccountAdmin {
  add(entry: AccountEntry): Promise<AccountView>
  list(): Promise<AccountView[]>
}

export function accountAdmin({ directory }: { directory: Directory }): AccountAdmin {
  return {
    async add(account) {
      if (await directory.insert('account', account)) return account
      throw new AdminError('taken', `The account "${account.id}" already exists; choose another id`)
    },
    list: () => directory.list('account'),
  }
}

/** @throws AdminError `not_found` */
export async function checkAccount(directory: Directory, accountId: string): Promise<void> {
  if (await directory.find('account', accountId)) return
  throw new AdminError(
    'not_found',
    `There is no account "${accountId}"; to list the accounts: posrep-server accounts list`,
  )
}
