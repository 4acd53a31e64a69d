/** `posrep-server keys`: lists, rotates and drops the keys that sign access tokens and relay messages. */
import { helpEnd } from '@posrep/kernel/help'
import type { Command } from 'commander'
import type { KeyView } from '../../admin/key-admin.ts'
import type { Row } from '../../admin/table.ts'
import { adminAction, toList } from '../admin-action.ts'

const uses: Record<KeyView['use'], string> = { 'access-token': 'access tokens', 'relay-message': 'relay messages' }

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('manage the keys that sign access tokens and relay messages')

  adminAction<[]>(keys.command('list').description('list the signing keys'), async ({ keys }) =>
    toList(await keys.list(), toRow, 'There are no keys; the server creates them when it starts'),
  )

  adminAction<[]>(
    keys
      .command('rotate')
      .description(
        'add new keys; they sign after 10 minutes, when receivers have fetched them; old keys stay published for 25 hours',
      ),
    async ({ keys }) => {
      const { isNew, keys: all } = await keys.rotate()
      const { text } = toList(all, toRow, '')
      const result = isNew ? 'Added new keys' : 'Added no keys: those of the last rotation do not sign yet'
      return { json: all, text: `${result}\n\n${text}` }
    },
  )

  adminAction<[kid: string]>(
    keys
      .command('drop')
      .description('remove a leaked key; what it signed is refused within a second')
      .argument('<kid>', 'key id from "keys list"')
      .addHelpText(
        'after',
        helpEnd({
          notes:
            'Access tokens: clients get a new one with their refresh token, which stays valid.\nRelay messages: receivers that cache the key set may accept the key for up to five more minutes.',
        }),
      ),
    async ({ keys }, kid) => {
      const { use, signingKid, keys: all } = await keys.drop(kid)
      const { text } = toList(all, toRow, '')
      return { json: all, text: `Dropped the key "${kid}"; "${signingKid}" signs ${uses[use]}\n\n${text}` }
    },
    { confirm: (kid) => `Drop the key "${kid}"? Everything that it signed is refused` },
  )
}

function toRow({ kid, use, signsFrom, state, published }: KeyView): Row {
  return { KEY: kid, FOR: uses[use], 'SIGNS FROM': signsFrom, STATE: published ? state : `${state}, not published` }
}
