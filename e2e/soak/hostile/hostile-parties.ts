/**
 * The accounts of the soak with a hostile account: the good one, and those of the attacker. Out: the seed of the
 * server.
 */
import { seed } from '../../parts/seed.ts'
import type { Person } from '../../parts/sign-in.ts'

export interface Party {
  user: Person
  client: { id: string; secret: string }
  localIds: string[]
}

/**
 * The attacker has five accounts with 60 sensors each. An account can set 60 relays in a minute, and 300 slow relays
 * are needed to occupy a sender that is not shared out fairly.
 */
const accounts = 5
const sensors = 60

export const hostileParties: Party[] = Array.from({ length: accounts }, (_, n) => ({
  user: { email: `hostile${n}@example.com`, password: 'correct horse 43' },
  client: { id: `hostile${n}`, secret: `s3cret-hostile-${n}` },
  localIds: Array.from({ length: sensors }, (_, sensor) => `h${n}s${sensor}`),
}))

export function getParty(index: number): Party {
  const party = hostileParties[index]
  if (!party) throw new RangeError(`There are ${hostileParties.length} hostile accounts, none has the index ${index}`)
  return party
}

export function urnOf({ client }: Party, localId: string): string {
  return `urn:aa:device:${client.id}:${localId}`
}

export const hostileSeed = {
  accounts: [...seed.accounts, ...hostileParties.map(({ client }) => ({ id: client.id, name: client.id }))],
  users: [...seed.users, ...hostileParties.map(({ user, client }) => ({ ...user, account: client.id }))],
  clients: [
    ...seed.clients,
    ...hostileParties.map(({ client }) => ({
      ...client,
      name: client.id,
      account: client.id,
      urnPart: client.id,
      grants: ['client_credentials', 'refresh_token'],
      scopes: ['surveillance_api'],
      partner: false,
    })),
  ],
  sensors: [
    ...seed.sensors,
    ...hostileParties.flatMap(({ client, localIds }) =>
      localIds.map((localId) => ({ localId, client: client.id, name: localId })),
    ),
  ],
}
