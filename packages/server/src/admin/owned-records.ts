/** Records that belong to another one. In: the owner. Out: a filter for the directory, or the records deleted. */
import type { Directory, Kind, ListOptions } from '../ports/storage/directory.ts'

/** For `Directory.list`; without an account, all records. */
export function whereAccount(account: string | undefined): Pick<ListOptions, 'where'> {
  return account === undefined ? {} : { where: { index: 'accountId', equals: account } }
}

export async function removeAll(
  directory: Directory,
  kind: Kind,
  where: Required<ListOptions>['where'],
): Promise<void> {
  for (const { id } of await directory.list(kind, { where })) await directory.remove(kind, id)
}
