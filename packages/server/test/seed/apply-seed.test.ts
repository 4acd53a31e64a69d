import { expect, test } from 'vitest'
import { createMemoryDirectory } from '../../src/adapters/memory/directory.ts'
import { clientAdmin } from '../../src/admin/client-admin.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry, toDeviceRecord } from '../../src/devices/registry.ts'
import { ApiError } from '../../src/errors.ts'
import type { AuditEvent } from '../../src/identity/audit.ts'
import type { Directory, Kind } from '../../src/ports/storage/directory.ts'
import { applySeed } from '../../src/seed/apply-seed.ts'
import type { Seed } from '../../src/seed/seed-file.ts'
import { toSeedSentences } from '../../src/seed/seed-report.ts'

const seed: Seed = {
  accounts: [
    { id: 'acme', name: 'Acme' },
    { id: 'other', name: 'Other' },
  ],
  users: [{ email: 'Pilot@Example.com', password: 'correct horse 42', account: 'acme' }],
  clients: [
    {
      id: 'fleet',
      secret: 's3cret-fleet',
      name: 'Fleet',
      account: 'acme',
      grants: ['client_credentials'],
      redirectUris: [],
      scopes: ['surveillance_api'],
      urnPart: 'acme',
      partner: false,
    },
  ],
  sensors: [{ localId: 'roof1', client: 'fleet' }],
}
const [user] = seed.users
const [fleet] = seed.clients
const nothing: Seed = { accounts: [], users: [], clients: [], sensors: [] }

function aTarget() {
  const clock = createManualClock()
  const directory = createMemoryDirectory()
  const audited: AuditEvent[] = []
  const audit = (event: AuditEvent) => audited.push(event)
  const target = { directory, clock, devices: createDeviceRegistry({ directory, clock }), audit }
  const kinds: Kind[] = ['account', 'user', 'client', 'device']
  const everything = () => Promise.all(kinds.map((kind) => directory.list(kind)))
  return { clock, target, everything, audited }
}

test('the entries of a seed are in the directory, with hashes instead of secrets', async () => {
  const { target, everything } = aTarget()
  await applySeed(seed, target)

  const all = await everything()
  expect(all.map((records) => records.map(({ id }) => id))).toEqual([
    ['acme', 'other'],
    [expect.any(String)],
    ['fleet'],
    ['urn:aa:device:acme:roof1'],
  ])
  expect(JSON.stringify(all)).not.toMatch(/correct horse|s3cret/)
  expect(all[1]).toMatchObject([{ email: 'pilot@example.com', accountId: 'acme' }])
})

test('applying a seed again changes nothing', async () => {
  const { clock, target, everything } = aTarget()
  await applySeed(seed, target)
  const before = await everything()
  await clock.advance(1_000)
  await applySeed({ ...seed, clients: seed.clients.map((client) => ({ ...client, name: 'Renamed' })) }, target)
  expect(await everything()).toEqual(before)
})

test('a seed says by name what it created, what it left, and where a record differs', async () => {
  const { target } = aTarget()
  expect(toSeedSentences(await applySeed(seed, target))).toEqual([
    'created: account acme, account other, user pilot@example.com, client fleet, sensor roof1',
  ])

  const clients = seed.clients.map((client) => ({ ...client, secret: 'another-secret', scopes: ['more'] }))
  const changed = { ...seed, clients, sensors: [...seed.sensors, { localId: 'roof2', client: 'fleet' }] }
  expect(toSeedSentences(await applySeed(changed, target))).toEqual([
    'created: sensor roof2',
    'left as they are: account acme, account other, user pilot@example.com, sensor roof1',
    'left as they are, although the seed differs: client fleet (scopes, secret)',
  ])
})

test('of many entries, the first 20 are named', async () => {
  const { target } = aTarget()
  const sensors = Array.from({ length: 30 }, (_, n) => ({ localId: `roof${n + 1}`, client: 'fleet' }))
  const [created] = toSeedSentences(await applySeed({ ...seed, sensors }, target))
  expect(created).toMatch(/, sensor roof16, and 14 more$/)
})

test('a later seed adds entries', async () => {
  const { target, everything } = aTarget()
  await applySeed(seed, target)
  await applySeed({ ...nothing, sensors: [{ localId: 'roof2', client: 'fleet', name: 'Second' }] }, target)
  expect((await everything())[3]).toMatchObject([{ name: 'roof1' }, { name: 'Second' }])
})

test('a seed allows the pairing of its sensors, also of one that has registered itself after another account’s', async () => {
  const { target, audited } = aTarget()
  const { devices, directory } = target
  await applySeed({ ...seed, sensors: [] }, target)
  const client = await directory.find('client', 'fleet')
  if (!client) throw new Error('No client')
  await devices.registerItself({ client: { ...client, accountId: 'other', urnPart: 'other' }, localId: 'roof1' })
  const late = await devices.registerItself({ client, localId: 'roof1' })
  expect(await devices.findEarlierOwner(late)).toMatchObject({ accountId: 'other' })

  expect(toSeedSentences(await applySeed(seed, target))).toContain('changed: sensor roof1 (it may be paired now)')
  const [seeded] = await devices.list('acme')
  expect(seeded && (await devices.findEarlierOwner(seeded))).toBeUndefined()
  await applySeed(seed, target)
  const [otherUrns, deviceUrn] = [['urn:aa:device:other:roof1'], 'urn:aa:device:acme:roof1']
  expect(audited).toEqual([{ event: 'pairing-allowed', deviceUrn, otherUrns }])
})

test('a seed of a local ID that another account has is in the audit log once', async () => {
  const { target, audited } = aTarget()
  const rival = { ...fleet, id: 'rival', account: 'other', urnPart: 'other' } as never
  await applySeed({ ...seed, clients: [...seed.clients, rival] }, target)
  const theirs: Seed = { ...nothing, sensors: [{ localId: 'roof1', client: 'rival' }] }

  await applySeed(theirs, target)
  await applySeed(theirs, target)

  const [otherUrns, deviceUrn] = [['urn:aa:device:acme:roof1'], 'urn:aa:device:other:roof1']
  expect(audited).toEqual([{ event: 'pairing-allowed', deviceUrn, otherUrns }])
})

test.each<[string, Partial<Seed>, string]>([
  ['a user of no account', { users: [{ ...user, account: 'nobody' } as never] }, 'There is no account "nobody"'],
  [
    'a client of no account',
    { clients: [{ ...fleet, id: 'b', account: 'nobody' } as never] },
    'There is no account "nobody"',
  ],
  ['a sensor of no client', { sensors: [{ localId: 'x', client: 'nobody' }] }, 'There is no client "nobody"'],
  [
    'a user of another account',
    { users: [{ ...user, account: 'other' } as never] },
    'already exists, with the account "acme", not "other"',
  ],
  [
    'a client of another account',
    { clients: [{ ...fleet, urnPart: 'x', account: 'other' } as never] },
    'already exists, with the account "acme"',
  ],
  [
    'a URN part of another account',
    { clients: [{ ...fleet, id: 'b', account: 'other' } as never] },
    'The client b of the seed: The URN part "acme" belongs to the account "acme"',
  ],
  [
    'a sensor of another client',
    { clients: [{ ...fleet, id: 'b' } as never], sensors: [{ localId: 'roof1', client: 'b' }] },
    'already exists, with the client "fleet", not "b"',
  ],
  [
    'a sensor with the URN of another account’s',
    {
      clients: [{ ...fleet, id: 'b', account: 'other', urnPart: 'former' } as never],
      sensors: [{ localId: 'roof2', client: 'b' }],
    },
    'the URN "urn:aa:device:former:roof2" belongs to the account "acme"',
  ],
])('a contradiction is refused: %s', async (_what, contradiction, message) => {
  const { target } = aTarget()
  await applySeed(seed, target)
  const former = { ...fleet, id: 'former', accountId: 'acme', urnPart: 'former' } as never
  await target.directory.insert('device', toDeviceRecord({ client: former, localId: 'roof2' }, 0))
  const attempt = applySeed({ ...nothing, ...contradiction }, target)
  await expect(attempt).rejects.toMatchObject({ name: 'SettingsError', message: expect.stringContaining(message) })
})

test('a URN part that another account had in the last 30 days is taken only with "reuseTrustedUrnPart"', async () => {
  const { clock, target } = aTarget()
  await applySeed(seed, target)
  await target.directory.remove('device', 'urn:aa:device:acme:roof1')
  await clientAdmin({
    ...target,
    revoke: async () => {},
    rules: { sensorIdPolicy: 'strict', allowLoopbackRedirects: false },
  }).remove('fleet')
  const clients = seed.clients.map((client) => ({ ...client, account: 'other' }))

  await expect(applySeed({ ...nothing, clients }, target)).rejects.toThrow('"reuseTrustedUrnPart": true')
  const reused = clients.map((client) => ({ ...client, reuseTrustedUrnPart: true }))
  await applySeed({ ...nothing, clients: reused }, target)
  expect(await target.directory.find('client', 'fleet')).toMatchObject({ accountId: 'other' })
  expect(await target.directory.find('client', 'fleet')).not.toHaveProperty('reuseTrustedUrnPart')
  await clock.advance(1_000)
  expect(await applySeed({ ...nothing, clients: reused }, target)).toMatchObject([{ outcome: 'unchanged' }])
})

test('an entry that the storage does not take is added again', async () => {
  const { clock, target } = aTarget()
  const applying = applySeed(seed, { ...target, directory: refusing(target.directory, 4) })
  await clock.advance(4_000)
  expect((await applying).map(({ outcome }) => outcome)).toEqual(Array(5).fill('created'))
})

test('an entry that the storage does not take five times ends the seed', async () => {
  const { clock, target } = aTarget()
  const applying = applySeed(seed, { ...target, directory: refusing(target.directory, 5) })
  const failure = expect(applying).rejects.toMatchObject({ code: 'unavailable' })
  await clock.advance(4_000)
  await failure
})

/** Its first inserts are refused. */
function refusing(directory: Directory, refusals: number): Directory {
  let left = refusals
  return {
    ...directory,
    async insert(...record) {
      if (left-- > 0) throw new ApiError('unavailable', 'The store does not answer')
      return directory.insert(...record)
    },
  }
}
