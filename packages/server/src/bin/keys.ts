/** `posrep-server keys`: what access tokens and relay messages are signed with. */
import type { Command } from 'commander'
import type { KeyView } from '../admin/key-admin.ts'
import type { Row } from '../admin/table.ts'
import { administers, toList } from './administer.ts'

const uses: Record<KeyView['use'], string> = { 'access-token': 'access tokens', 'relay-message': 'relay messages' }

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('what access tokens and relay messages are signed with')

  administers<[]>(keys.command('list').description('list the signing keys'), async ({ keys }) =>
    toList(await keys.list(), toRow, 'There are no keys; a server makes them when it starts'),
  )

  administers<[]>(
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
}

function toRow({ kid, use, signsFrom, state, published }: KeyView): Row {
  return { KEY: kid, FOR: uses[use], 'SIGNS FROM': signsFrom, STATE: published ? state : `${state}, not published` }
}
