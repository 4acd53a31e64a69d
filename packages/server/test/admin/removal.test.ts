import { expect, test } from 'vitest'
import { anAdministration, aRequest } from './an-administration.ts'

const pilot = { email: 'pilot@example.com', password: 'correct horse 42', account: 'acme' }

test('a removed user has no valid tokens, sessions and approvals, and the address can be added again', async () => {
  const { users, directory, revoked } = await anAdministration()
  const { id } = await users.add(pilot)
  const approval = { userId: id, clientId: 'fleet', scopes: [], grantedAtMs: 0, lastUsedAtMs: null }
  await directory.insert('consent', { id: `${id}:fleet`, ...approval })

  expect(await users.remove('Pilot@example.com')).toMatchObject({ id, email: 'pilot@example.com' })

  expect(revoked).toEqual([`user:${id}`])
  expect(await directory.list('consent')).toEqual([])
  expect(await users.list()).toEqual([])
  expect((await users.add(pilot)).id).not.toBe(id)
})

test('the error for the removal of an unknown user names the address', async () => {
  const { users } = await anAdministration()
  await expect(users.remove('nobody@example.com')).rejects.toThrow('There is no user "nobody@example.com"')
})

test('an account is removed once it has no sensors, clients and users', async () => {
  const { accounts, users, clients, sensors } = await anAdministration()
  await users.add(pilot)
  await sensors.add({ client: 'fleet', localId: 'roof1' })
  const refused = (what: string) =>
    expect(accounts.remove('acme')).rejects.toThrow(
      `The account "acme" has ${what}; remove them first: posrep-server ${what} list --account acme`,
    )

  await refused('sensors')
  await sensors.remove('roof1')
  await refused('clients')
  await clients.remove('fleet')
  await refused('users')
  await users.remove(pilot.email)
  await accounts.remove('acme')

  expect((await accounts.list()).map(({ id }) => id)).toEqual(['rival'])
})

test('the requests of a removed account are deleted', async () => {
  const { accounts, clients, directory } = await anAdministration()
  await directory.insert('sensorRequest', aRequest())
  await directory.insert('sensorRequest', aRequest({ id: 'request-2', accountId: 'rival' }))
  await clients.remove('fleet')

  await accounts.remove('acme')

  expect((await directory.list('sensorRequest')).map(({ id }) => id)).toEqual(['request-2'])
  await expect(accounts.remove('acme')).rejects.toThrow('There is no account "acme"')
})
