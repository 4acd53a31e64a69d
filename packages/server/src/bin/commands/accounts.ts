/** `posrep-server accounts`: adds, lists and removes accounts, the owners of users, clients and sensors. */
import { helpEnd } from '@posrep/kernel/help'
import type { Command } from 'commander'
import { readEntry } from '../../admin/entries.ts'
import { adminAction, toList } from '../admin-action.ts'

export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('manage the owners of users, clients and sensors')

  adminAction<[id: string, options: { name?: string }]>(
    accounts
      .command('add')
      .description('add an account')
      .argument('<id>', 'letters, digits, ".", "_" and "-"')
      .option('--name <NAME>', 'display name (default: the id)')
      .addHelpText('after', helpEnd({ examples: ['posrep-server accounts add acme --name "Acme Sensing"'] })),
    async ({ accounts }, id, { name = id }) => {
      const account = await accounts.add(readEntry('account', { id, name }, { id: 'The id', name: '--name' }))
      return { json: account, text: `Added the account "${account.id}"` }
    },
  )

  adminAction<[]>(accounts.command('list').description('list the accounts'), async ({ accounts }) =>
    toList(
      await accounts.list(),
      ({ id, name }) => ({ ID: id, NAME: name }),
      'There are no accounts; to add one: posrep-server accounts add acme --name "Acme Sensing"',
    ),
  )

  adminAction<[id: string]>(
    accounts
      .command('remove')
      .description('delete an account that has no users, clients and sensors')
      .argument('<id>', 'id of the account'),
    async ({ accounts }, id) => ({ json: await accounts.remove(id), text: `Removed the account "${id}"` }),
    { confirm: (id) => `Remove the account "${id}"?` },
  )
}
