import { expect, test } from 'vitest'
import { hashSecret } from '../../src/secrets.ts'
import { acmeFleet, anAdministration } from './an-administration.ts'

const [first, second, third] = ['s3cret-fleet', 'second-secret', 'third-secret'].map(hashSecret)

test('a client is shown with the field names of the seed file, without its secret', async () => {
  const { clients } = await anAdministration()
  expect((await clients.list({ account: 'acme' }))[0]).toEqual({
    id: 'fleet',
    name: 'Fleet',
    account: 'acme',
    grants: ['client_credentials', 'refresh_token'],
    redirectUris: [],
    origins: [],
    scopes: ['surveillance_api'],
    urnPart: 'fleet',
    partner: false,
    secrets: 1,
    disabled: false,
  })
})

test('only a hash of a secret is stored', async () => {
  const { directory } = await anAdministration()
  const stored = await directory.find('client', 'fleet')
  expect(stored?.secretHashes).toEqual([first])
  expect(JSON.stringify(stored)).not.toContain('s3cret-fleet')
})

test('a client id can be used once in all accounts', async () => {
  const { clients } = await anAdministration()
  for (const urnPart of ['rival', undefined]) {
    await expect(clients.add({ ...acmeFleet, account: 'rival', urnPart })).rejects.toMatchObject({ code: 'taken' })
  }
})

test('a URN part belongs to one account, which may use it for several clients', async () => {
  const { clients } = await anAdministration()
  expect(await clients.add({ ...acmeFleet, id: 'fleet-2', urnPart: 'fleet' })).toMatchObject({ urnPart: 'fleet' })
  await expect(clients.add({ ...acmeFleet, id: 'thief', account: 'rival', urnPart: 'fleet' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'The URN part "fleet" belongs to the account "acme"; choose another with --urn-part or "urnPart"',
  })
})

test('a new secret is valid beside the old one until the old one is dropped', async () => {
  const { clients, directory, revoked } = await anAdministration()
  expect(await clients.rotateSecret('fleet', 'second-secret')).toMatchObject({ secrets: 2 })
  expect((await directory.find('client', 'fleet'))?.secretHashes).toEqual([second, first])
  await expect(clients.rotateSecret('fleet', 'third-secret')).rejects.toThrow(
    'The client "fleet" already has two secrets; drop the old one first: posrep-server clients drop-secret fleet',
  )

  expect(await clients.dropSecret('fleet')).toMatchObject({ secrets: 1 })
  expect((await directory.find('client', 'fleet'))?.secretHashes).toEqual([second])
  await expect(clients.dropSecret('fleet')).rejects.toThrow('has only one secret')
  expect(revoked).toEqual([])
})

test('a leaked secret can be replaced at once', async () => {
  const { clients, directory } = await anAdministration()
  await clients.rotateSecret('fleet', 'second-secret')
  await clients.rotateSecret('fleet', 'third-secret', { dropOld: true })
  expect((await directory.find('client', 'fleet'))?.secretHashes).toEqual([third])
})

test('a public client has no secret to replace or to drop', async () => {
  const { clients } = await anAdministration()
  const { secret: _, ...entry } = acmeFleet
  const grants: (typeof entry)['grants'] = ['authorization_code']
  expect(await clients.add({ ...entry, id: 'app', grants, redirectUris: ['https://a.example/'] })).toMatchObject({
    secrets: 0,
  })
  await expect(clients.rotateSecret('app', 'second-secret')).rejects.toThrow('The client "app" is public')
  await expect(clients.dropSecret('app')).rejects.toThrow('The client "app" is public')
})

test('disabling a client revokes its tokens; enabling does not restore them', async () => {
  const { clients, revoked } = await anAdministration()
  expect(await clients.disable('fleet')).toMatchObject({ disabled: true })
  expect(await clients.enable('fleet')).toMatchObject({ disabled: false })
  expect(revoked).toEqual(['client:fleet'])
})

test('the error for an unknown client names the client', async () => {
  const { clients } = await anAdministration()
  await expect(clients.disable('fleed')).rejects.toThrow('There is no client "fleed"')
  await expect(clients.add({ ...acmeFleet, id: 'x', account: 'acne' })).rejects.toThrow('There is no account "acne"')
})

test('an update replaces what it names and keeps the rest', async () => {
  const { clients, revoked } = await anAdministration()
  const before = (await clients.list({ account: 'acme' }))[0]
  const updated = await clients.update('fleet', { name: 'New', scopes: ['surveillance_api', 'more'] })
  expect(updated).toEqual({ ...before, name: 'New', scopes: ['surveillance_api', 'more'] })
  expect(revoked).toEqual([])
})

test('a client that loses a grant or a scope loses its tokens', async () => {
  const { clients, revoked } = await anAdministration()
  await clients.update('fleet', { grants: ['client_credentials'] })
  expect(revoked).toEqual(['client:fleet'])
  await clients.update('fleet', { scopes: ['other'] })
  expect(revoked).toEqual(['client:fleet', 'client:fleet'])
})

test('an update that would break the rules for clients changes nothing', async () => {
  const { clients } = await anAdministration()
  const refused = {
    'the grant authorization_code needs at least one redirect URI': { grants: ['authorization_code' as const] },
    '"http://a.example/" must be an https URL': { redirectUris: ['http://a.example/'] },
  }
  for (const [message, change] of Object.entries(refused)) {
    await expect(clients.update('fleet', change)).rejects.toThrow(
      `Nothing was changed about the client "fleet": ${message}`,
    )
  }
  expect((await clients.list({ account: 'acme' }))[0]).toMatchObject({ redirectUris: [] })
})

test('a client keeps a redirect URI that only the setting of the server allows', async () => {
  const { clients, directory } = await anAdministration()
  const redirectUris = ['http://127.0.0.1:8765/callback']
  await directory.update('client', 'fleet', (client) => ({ ...client, redirectUris }))
  expect(await clients.update('fleet', { name: 'New' })).toMatchObject({ name: 'New', redirectUris })
  await expect(clients.update('fleet', { redirectUris })).rejects.toThrow(
    '"http://127.0.0.1:8765/callback" is http on loopback, which needs --allow-loopback-redirects',
  )
})

test('a removed client has no valid tokens and no approvals, and its id can be used again', async () => {
  const { clients, directory, revoked } = await anAdministration()
  const approval = { scopes: ['surveillance_api'], grantedAtMs: 0, lastUsedAtMs: null }
  await directory.insert('consent', { id: 'u:fleet', userId: 'u', clientId: 'fleet', ...approval })
  await directory.insert('consent', { id: 'u:other', userId: 'u', clientId: 'other', ...approval })

  await clients.remove('fleet')

  expect(revoked).toEqual(['client:fleet'])
  expect((await directory.list('consent')).map(({ id }) => id)).toEqual(['u:other'])
  expect(await clients.list({ account: 'acme' })).toEqual([])
  expect(await clients.add(acmeFleet)).toMatchObject({ id: 'fleet' })
})

test('a client with sensors is not removed, and keeps its tokens', async () => {
  const { clients, sensors, revoked } = await anAdministration()
  await sensors.add({ client: 'fleet', localId: 'roof1' })
  await expect(clients.remove('fleet')).rejects.toThrow(
    'The client "fleet" has sensors, such as "urn:aa:device:fleet:roof1"; remove them first: posrep-server sensors list --client fleet',
  )
  expect(revoked).toEqual([])
})

test('a client whose removal dies halfway has no valid tokens, and the removal can be repeated', async () => {
  const { clients, directory, revoked } = await anAdministration()
  const { remove } = directory
  directory.remove = async () => {
    throw new Error('the process died')
  }
  await expect(clients.remove('fleet')).rejects.toThrow('the process died')
  expect((await clients.list({ account: 'acme' }))[0]).toMatchObject({ disabled: true })
  expect(revoked).toEqual(['client:fleet'])

  directory.remove = remove
  await clients.remove('fleet')
  expect(await clients.list({ account: 'acme' })).toEqual([])
})
