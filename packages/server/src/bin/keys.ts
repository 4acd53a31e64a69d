/** `posrep-server keys`: what access tokens and relay messages are signed with. */
import type { Command } from 'commander'
import type { KeyView } from '../admin/key-admin.ts'
import type { Row } from '../admin/table.ts'
import { adminAction, toList } from './admin-action.ts'

const uses: Record<KeyView['use'], string> = { 'access-token': 'access tokens', 'relay-message': 'relay messages' }

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('what access tokens and relay messages are signed with')

  adminAction<[]>(keys.command('list').description('list the signing keys'), async ({ keys }) =>
    toList(await keys.list(), toRow, 'There are no keys; a server makes them when it starts'),
  )

  adminAction<[]>(
    keys
      .command('rotate')
      .description('add new keys, which sign in some minutes, when everybody can know them; the old ones stay a day'),
    async ({ keys }) => {
      const { isNew, keys: all } = await keys.rotate()
      const { text } = toList(all, toRow, '')
      const said = isNew ? 'Added new keys' : 'Added none: the keys of the last rotation do not sign yet'
      return { json: all, text: `${said}\n\n${text}` }
    },
  )

  adminAction<[kid: string]>(
    keys
      .command('drop')
      .description('end a key that others may have: what it signed is refused within a second')
      .argument('<kid>', 'the key, as "keys list" names it')
      .addHelpText(
        'after',
        `
Of access tokens: who holds one that it signed gets the next one by refreshing; refresh tokens stay good.
Of relay messages: receivers that keep the key set may take the key for up to five minutes more.`,
      ),
    async ({ keys }, kid) => {
      const { use, signingKid, keys: all } = await keys.drop(kid)
      const { text } = toList(all, toRow, '')
      return { json: all, text: `Dropped the key "${kid}"; "${signingKid}" signs ${uses[use]}\n\n${text}` }
    },
  )
}

function toRow({ kid, use, signsFrom, state, published }: KeyView): Row {
  return { KEY: kid, FOR: uses[use], 'SIGNS FROM': signsFrom, STATE: published ? state : `${state}, not published` }
}
