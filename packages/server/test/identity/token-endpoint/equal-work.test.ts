/** Response times must not reveal which users exist: these tests count the work instead of timing it. */
import { createHook } from 'node:async_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryDirectory } from '../../../src/adapters/memory/directory.ts'
import { hashPassword } from '../../../src/identity/people/password.ts'
import { createUsers, type SignInOutcome, type Users } from '../../../src/identity/people/users.ts'
import type { Directory } from '../../../src/ports/storage/directory.ts'

const password = 'correct horse 42'

async function someUsers() {
  const directory = createMemoryDirectory()
  const known = { accountId: 'acme', passwordHash: await hashPassword(password, { logN: 8, r: 8, p: 1 }) }
  await directory.insert('user', { id: 'pilot', email: 'pilot@example.com', disabled: false, ...known })
  await directory.insert('user', { id: 'former', email: 'former@example.com', disabled: true, ...known })
  let asked: string[] = []
  const noted = (call: string) => void asked.push(call)
  const counted: Directory = {
    ...directory,
    async find(kind, id) {
      noted(`find ${kind}`)
      return directory.find(kind, id)
    },
    async list(kind, options) {
      noted(`list ${kind}`)
      return directory.list(kind, options)
    },
  }
  let hashed = 0
  // Node's name for a scrypt job in its thread pool.
  const hook = createHook({ init: (_id, type) => void (type === 'SCRYPTREQUEST' && hashed++) }).enable()
  onTestFinished(() => void hook.disable())

  return async (work: (users: Users) => Promise<SignInOutcome>) => {
    asked = []
    hashed = 0
    const outcome = await work(createUsers({ directory: counted }))
    return { outcome, work: { hashed, asked } }
  }
}

const refused = { kind: 'refused', failure: 'wrong-credentials' }

test('a wrong password, an unknown user and a disabled user take the same work and get the same answer', async () => {
  const during = await someUsers()

  for (const [email, typed] of [
    ['pilot@example.com', 'wrong password'],
    ['nobody@example.com', 'wrong password'],
    ['former@example.com', 'wrong password'],
    ['former@example.com', password],
    ['', ''],
  ] as const) {
    expect(await during((users) => users.signIn(email, typed))).toEqual({
      outcome: refused,
      work: { hashed: 1, asked: ['list user'] },
    })
  }
})

test('creating an account hashes one password, whether the address is taken or not', async () => {
  const during = await someUsers()

  const taken = await during((users) => users.create('pilot@example.com', 'another password'))
  const free = await during((users) => users.create('new@example.com', 'another password'))

  expect(taken.outcome).toEqual(refused)
  expect(free.outcome).toMatchObject({ kind: 'signed-in', isNew: true })
  expect([taken.work.hashed, free.work.hashed]).toEqual([1, 1])
})

test('text that cannot be a password is refused before any user is looked up', async () => {
  const during = await someUsers()

  for (const email of ['pilot@example.com', 'new@example.com']) {
    expect(await during((users) => users.create(email, 'short'))).toMatchObject({
      outcome: { failure: 'wrong-password-length' },
      work: { hashed: 0, asked: [] },
    })
  }
})
