import { expect, test } from 'vitest'
import { isPassword } from '../../src/identity/password.ts'
import { anAdministration } from './an-administration.ts'

const pilot = { email: 'Pilot@Example.com', password: 'correct horse 42', account: 'acme' }

test('an account id is taken once', async () => {
  const { accounts } = await anAdministration()
  await expect(accounts.add({ id: 'acme', name: 'Another' })).rejects.toMatchObject({
    code: 'taken',
    message: 'The account "acme" exists already; choose another id',
  })
  expect(await accounts.list()).toEqual([
    { id: 'acme', name: 'Acme Sensing' },
    { id: 'rival', name: 'Rival' },
  ])
})

test('a user is found without regard to case, and the password is stored hashed', async () => {
  const { users, directory } = await anAdministration()
  const { id } = await users.add(pilot)
  const stored = await directory.find('user', id)
  expect(stored).toMatchObject({ email: 'pilot@example.com', accountId: 'acme', disabled: false })
  expect(JSON.stringify(stored)).not.toContain(pilot.password)
  expect(await isPassword(pilot.password, stored?.passwordHash)).toBe(true)
  expect(await users.list()).toEqual([{ email: 'pilot@example.com', id, account: 'acme', disabled: false }])
  expect(await users.list({ account: 'rival' })).toEqual([])
})

test('an e-mail address is one user, whatever the account', async () => {
  const { users } = await anAdministration()
  await users.add(pilot)
  await expect(users.add({ ...pilot, email: 'pilot@example.com', account: 'rival' })).rejects.toMatchObject({
    code: 'taken',
    message: 'The user "pilot@example.com" exists already, in the account "acme"',
  })
})

test('an account that does not exist takes no user, and is not listed', async () => {
  const { users } = await anAdministration()
  await expect(users.add({ ...pilot, account: 'acne' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(users.list({ account: 'acne' })).rejects.toThrow('There is no account "acne"')
})

test('disabling, a new password and a move end what the user was given; enabling does not', async () => {
  const { users, directory, revoked } = await anAdministration()
  const { id } = await users.add(pilot)

  expect(await users.disable('PILOT@example.com')).toMatchObject({ disabled: true })
  expect(await users.enable(pilot.email)).toMatchObject({ disabled: false })
  expect(revoked).toEqual([`user:${id}`])

  await users.setPassword(pilot.email, 'battery staple 7')
  expect(await isPassword('battery staple 7', (await directory.find('user', id))?.passwordHash)).toBe(true)
  expect(await users.move(pilot.email, 'rival')).toMatchObject({ account: 'rival' })
  expect(revoked).toEqual([`user:${id}`, `user:${id}`, `user:${id}`])
  expect(await users.list({ account: 'rival' })).toHaveLength(1)
})

test('a user moves to an account that exists only', async () => {
  const { users, revoked } = await anAdministration()
  await users.add(pilot)
  await expect(users.move(pilot.email, 'acne')).rejects.toThrow('There is no account "acne"')
  expect(revoked).toEqual([])
})

test('an unknown user is named', async () => {
  const { users } = await anAdministration()
  await expect(users.disable('nobody@example.com')).rejects.toThrow(
    'There is no user "nobody@example.com"; "posrep-server users list" shows those there are',
  )
})
