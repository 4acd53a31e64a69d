import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '../../../src/identity/people/password.ts'

const cheap = { logN: 8, r: 8, p: 1 }

test('a password is stored as scrypt with its parameters and its own salt', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse 42'), hashPassword('correct horse 42')])

  expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/)
  expect(second).not.toBe(first)
  expect(await isPassword('correct horse 42', first)).toBe(true)
  expect(await isPassword('correct horse 43', first)).toBe(false)
})

test('a hash made with other parameters is still valid', async () => {
  expect(await isPassword('correct horse 42', await hashPassword('correct horse 42', cheap))).toBe(true)
})

test('the same password typed on another keyboard is the same password', async () => {
  expect(await isPassword('mu\u0308nchen 42', await hashPassword('m\u00fcnchen 42', cheap))).toBe(true)
})

test.each(['', 'plain text', '$scrypt$ln=15,r=8,p=3$salt', '$2b$10$abc'])(
  'no password fits the hash "%s"',
  async (hash) => {
    expect(await isPassword(hash, hash)).toBe(false)
  },
)

test('without a user every password is wrong', async () => {
  expect(await isPassword('', undefined)).toBe(false)
})

test('passwords beyond the length of the queue are refused, and the others are checked', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword('x', cheap)))

  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(14)
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests' } })
  expect(await isPassword('x', await hashPassword('x', cheap))).toBe(true)
})
