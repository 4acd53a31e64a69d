/** Records that the server creates when they do not exist. The member names are those of the file of `--seed`. */
import type { Seed } from '@posrep/server'

export const fleet = { id: 'fleet', secret: 's3cret-of-the-fleet' }

export const seed: Seed = {
  accounts: [{ id: 'acme', name: 'Acme Sensing' }],
  users: [{ email: 'pilot@example.com', password: 'correct horse 42', account: 'acme' }],
  clients: [
    {
      ...fleet,
      name: 'Fleet',
      account: 'acme',
      grants: ['client_credentials', 'refresh_token'],
      redirectUris: [],
      scopes: ['surveillance_api'],
      urnPart: 'acme',
      partner: false,
    },
  ],
  sensors: [{ localId: 'roof1', client: 'fleet', name: 'Roof' }],
}
