import { describe, expect, test } from 'vitest'
import type { EntryRules } from '../../src/admin/entries.ts'
import { parseSeed } from '../../src/seed/seed-file.ts'

const strict: EntryRules = { sensorIdPolicy: 'strict', allowLoopbackRedirects: false }

const good = {
  accounts: [{ id: 'acme', name: 'Acme Sensing' }],
  users: [{ email: 'pilot@example.com', password: 'correct horse 42', account: 'acme' }],
  clients: [
    {
      id: 'map-view',
      secret: 's3cret-map-view',
      name: 'Map view',
      account: 'acme',
      grants: ['authorization_code', 'refresh_token'],
      redirectUris: ['https://localhost:9443/callback'],
      scopes: ['surveillance_api'],
    },
    {
      id: 'fleet',
      secret: 's3cret-fleet',
      name: 'Fleet',
      account: 'acme',
      urnPart: 'acme',
      grants: ['client_credentials', 'refresh_token'],
      scopes: ['surveillance_api'],
      partner: false,
    },
  ],
  sensors: [{ localId: 'roof1', client: 'fleet', name: 'Roof' }],
}

const [app, fleet] = good.clients
const parse = (seed: unknown, rules = strict) => parseSeed(JSON.stringify(seed), 'seed.json', rules)

test('optional fields have defaults', () => {
  const { clients } = parse(good)
  expect(clients.map(({ redirectUris, partner }) => [redirectUris, partner])).toEqual([
    [['https://localhost:9443/callback'], false],
    [[], false],
  ])
  expect(parse({})).toEqual({ accounts: [], users: [], clients: [], sensors: [] })
})

describe('a wrong seed is refused with the name of the file and the path of the error', () => {
  const sensors = (...localIds: string[]) => localIds.map((localId) => ({ localId, client: 'fleet' }))

  test.each<[string, unknown, string]>([
    ['a list', [], 'at the top'],
    [
      'an unknown key',
      { ...good, sensor: [] },
      'at sensor: there is no such key; allowed are accounts, users, clients, sensors',
    ],
    [
      'an unknown key of a client',
      { ...good, clients: [{ ...fleet, urn: 'x' }] },
      'at clients.0.urn: there is no such key; allowed are id, secret, name, account, grants, redirectUris, origins, scopes, urnPart, reuseTrustedUrnPart, partner',
    ],
    [
      'a misspelt key',
      { ...good, users: [{ email: 'pilot@example.com', pasword: 'correct horse 42', account: 'acme' }] },
      'at users.0.pasword: there is no such key; allowed are email, password, account',
    ],
    ['a missing name', { ...good, accounts: [{ id: 'acme' }] }, 'at accounts.0.name: is missing'],
    ['a text in place of a list', { ...good, users: 'pilot' }, 'at users: must be a list, not a string'],
    ['a text in place of an object', { ...good, users: ['pilot'] }, 'at users.0: must be an object, not a string'],
    [
      'a number in place of a text',
      { ...good, users: [{ ...good.users[0], password: 12345678 }] },
      'at users.0.password: must be a text in quotes, not a number',
    ],
    [
      'a text in place of true',
      { ...good, clients: [{ ...fleet, partner: 'yes' }] },
      'at clients.0.partner: must be true or false, not a string',
    ],
    ['an id with a space', { ...good, accounts: [{ id: 'ac me', name: 'x' }] }, 'at accounts.0.id: must be 1 to 64'],
    [
      'no e-mail address',
      { ...good, users: [{ ...good.users[0], email: 'pilot' }] },
      'at users.0.email: must be like name@example.com',
    ],
    [
      'a short password',
      { ...good, users: [{ ...good.users[0], password: 'short' }] },
      'at users.0.password: must be at least 8',
    ],
    [
      'a short secret',
      { ...good, clients: [{ ...fleet, secret: 'short' }] },
      'at clients.0.secret: must be at least 8',
    ],
    ['an unknown grant', { ...good, clients: [{ ...fleet, grants: ['implicit'] }] }, 'at clients.0.grants.0'],
    ['no grants', { ...good, clients: [{ ...fleet, grants: [] }] }, 'at clients.0.grants: must not be empty'],
    [
      'a scope with a space',
      { ...good, clients: [{ ...fleet, scopes: ['a b'] }] },
      'at clients.0.scopes.0: must be one scope',
    ],
    [
      'a URN part with a colon',
      { ...good, clients: [{ ...fleet, urnPart: 'a:b' }] },
      'at clients.0.urnPart: must be letters',
    ],
    [
      'an id that cannot stand in a URN',
      { ...good, clients: [{ ...app, id: 'map.view' }] },
      'at clients.0.urnPart: the id "map.view"',
    ],
    [
      'a redirect without TLS',
      { ...good, clients: [{ ...app, redirectUris: ['http://localhost/cb'] }] },
      'at clients.0.redirectUris: "http://localhost/cb"',
    ],
    [
      'a login without redirects',
      { ...good, clients: [{ ...app, redirectUris: [] }] },
      'at clients.0.redirectUris: the grant',
    ],
    [
      'a fleet without secret',
      { ...good, clients: [{ ...fleet, secret: undefined }] },
      'at clients.0.secret: the grant',
    ],
    [
      'a URN part of two accounts',
      { ...good, clients: [fleet, { ...fleet, id: 'b', account: 'other' }] },
      'at clients.1.urnPart: "acme" already belongs to the account "acme"',
    ],
    [
      'a local ID with a dash',
      { ...good, sensors: sensors('roof-1') },
      'at sensors.0.localId: "roof-1" must be 1 to 255',
    ],
    [
      'a local ID twice',
      { ...good, sensors: sensors('a', 'b', 'a') },
      'at sensors.2.localId: "a" of the account "acme" is in the file twice',
    ],
    [
      'a local ID twice, by two clients',
      { ...good, sensors: [...sensors('a'), { localId: 'a', client: 'map-view' }] },
      'at sensors.1.localId: "a" of the account "acme"',
    ],
    [
      'an account twice',
      { ...good, accounts: [...good.accounts, ...good.accounts] },
      'at accounts.1.id: "acme" is in the file twice',
    ],
    [
      'a user twice',
      { ...good, users: [good.users[0], { ...good.users[0], email: 'Pilot@Example.com' }] },
      'at users.1.email: "pilot@example.com" is in the file twice',
    ],
    ['a client twice', { ...good, clients: [fleet, fleet] }, 'at clients.1.id: "fleet" is in the file twice'],
  ])('%s', (_what, seed, message) => {
    const attempt = () => parse(seed)
    expect(attempt).toThrow(expect.objectContaining({ name: 'SettingsError' }))
    expect(attempt).toThrow(`"seed.json" ${message}`)
  })

  test('text that is not JSON', () => {
    expect(() => parseSeed('{', 'seed.json', strict)).toThrow('"seed.json" is not JSON: ')
  })

  test('no message contains a secret', () => {
    const seed = { ...good, users: [{ ...good.users[0], password: 'hunter2' }] }
    expect(() => parse(seed)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }))
  })
})

test('the compat policy allows the IDs of real firmware', () => {
  const seed = { ...good, sensors: [{ localId: 'imei:490154203237518', client: 'fleet' }] }
  expect(() => parse(seed)).toThrow()
  expect(parse(seed, { ...strict, sensorIdPolicy: 'compat' }).sensors).toHaveLength(1)
})

test('redirect URIs with http on loopback can be allowed', () => {
  const seed = { ...good, clients: [{ ...app, redirectUris: ['http://127.0.0.1:9000/cb'] }] }
  expect(() => parse(seed)).toThrow()
  expect(parse(seed, { ...strict, allowLoopbackRedirects: true }).clients).toHaveLength(1)
})
