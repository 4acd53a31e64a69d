/** The client of the sensors that tests register. */
import type { Client } from '../src/ports/storage/directory.ts'

export function aClient(): Client {
  return {
    id: 'fleet',
    name: 'Fleet',
    accountId: 'acme',
    secretHashes: [],
    grants: [],
    redirectUris: [],
    scopes: [],
    urnPart: 'fleet',
    partner: false,
    disabled: false,
  }
}
