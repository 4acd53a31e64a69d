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
    message: 'The URN part "fleet" belongs to the account "acme"; choose another with --urn-part',
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
