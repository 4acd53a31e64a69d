import { expect, test } from 'vitest'
import { isPassword } from '../../src/identity/people/password.ts'
import { anAdministration } from './an-administration.ts'

const pilot = { email: 'Pilot@Example.com', password: 'correct horse 42', account: 'acme' }

test('an account id can be used once', async () => {
  const { accounts } = await anAdministration()
  await expect(accounts.add({ id: 'acme', name: 'Another' })).rejects.toMatchObject({
    code: 'taken',
    message: 'The account "acme" already exists; choose another id',
  })
  expect(await accounts.list()).toEqual([
    { id: 'acme', name: 'Acme Sensing' },
    { id: 'rival', name: 'Rival' },
  ])
})

test('the e-mail address of a user is matched without regard to case, and only a hash of the password is stored', async () => {
  const { users, directory } = await anAdministration()
  const { id } = await users.add(pilot)
  const stored = await directory.find('user', id)
  expect(stored).toMatchObject({ email: 'pilot@example.com', accountId: 'acme', disabled: false })
  expect(JSON.stringify(stored)).not.toContain(pilot.password)
  expect(await isPassword(pilot.password, stored?.passwordHash)).toBe(true)
  expect(await users.list()).toEqual([{ email: 'pilot@example.com', id, account: 'acme', disabled: false }])
  expect(await users.list({ account: 'rival' })).toEqual([])
})

test('an e-mail address belongs to one user in all accounts', async () => {
  const { users } = await anAdministration()
  await users.add(pilot)
  await expect(users.add({ ...pilot, email: 'pilot@example.com', account: 'rival' })).rejects.toMatchObject({
    code: 'taken',
    message: 'The user "pilot@example.com" already exists, in the account "acme"',
  })
})

test('no user can be added to an account that does not exist, and its users cannot be listed', async () => {
  const { users } = await anAdministration()
  await expect(users.add({ ...pilot, account: 'acne' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(users.list({ account: 'acne' })).rejects.toThrow('There is no account "acne"')
})

test('disabling a user, a new password and a move revoke the user’s tokens; enabling does not', async () => {
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

test('a user cannot be moved to an account that does not exist', async () => {
  const { users, revoked } = await anAdministration()
  await users.add(pilot)
  await expect(users.move(pilot.email, 'acne')).rejects.toThrow('There is no account "acne"')
  expect(revoked).toEqual([])
})

test('the error for an unknown user names the user', async () => {
  const { users } = await anAdministration()
  await expect(users.disable('nobody@example.com')).rejects.toThrow(
    'There is no user "nobody@example.com"; to list the users: posrep-server users list',
  )
})

test('a link for a new password is for the origin of the identity provider, and only for a user who may sign in', async () => {
  const { users, audited } = await anAdministration()
  await users.add({ email: 'pilot@example.com', password: 'correct horse 42', account: 'acme' })

  const { email, url, expiresAt } = await users.resetLink('Pilot@example.com')

  expect(email).toBe('pilot@example.com')
  expect(url).toMatch(/^https:\/\/auth\.example\/account\/reset\/[\w-]{43}$/)
  expect(expiresAt).toBe('2026-01-07T07:22:45Z')
  expect(audited.at(-1)).toMatchObject({ event: 'reset-link-issued' })
  expect(JSON.stringify(audited)).not.toContain(url.slice(-43))
  await expect(users.resetLink('nobody@example.com')).rejects.toMatchObject({ code: 'not_found' })
  await users.disable(email)
  await expect(users.resetLink(email)).rejects.toThrow('is disabled')
})

test('without the origin of the identity provider there is no link, and the error says how to give it', async () => {
  const { users } = await anAdministration({}, { authOrigin: undefined })
  await users.add(pilot)
  await expect(users.resetLink(pilot.email)).rejects.toThrow('give it with --auth-origin')
})

test('operators cannot give a user a common password, either', async () => {
  const { users } = await anAdministration()
  const entry = { email: 'new@example.com', account: 'acme' }

  await expect(users.add({ ...entry, password: 'iloveyou' })).rejects.toMatchObject({ code: 'refused' })
  await users.add({ ...entry, password: 'tangerine dream 3' })
  await expect(users.setPassword(entry.email, 'Baseball')).rejects.toThrow('Many people have this password')
})
