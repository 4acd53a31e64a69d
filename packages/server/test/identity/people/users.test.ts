import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createUsers, isEmail, toEmail } from '../../../src/identity/people/users.ts'
import { storages } from '../stores.ts'

const password = 'correct horse 42'

test.each([
  ['upper case', 'Zoë@Example.COM', 'zoë@example.com'],
  ['spaces around it', ' zoë@example.com\n', 'zoë@example.com'],
  ['a letter in two characters', 'zoe\u0308@example.com', 'zoë@example.com'],
  ['an upper-case letter in two characters', 'ZOE\u0308@example.com', 'zoë@example.com'],
  ['the Angstrom sign', '\u212b@example.com', '\u00e5@example.com'],
])('an e-mail address with %s is stored in its one form', (_what, typed, stored) => {
  expect(toEmail(typed)).toBe(stored)
  expect(toEmail(stored)).toBe(stored)
})

test('e-mail addresses that may be different mailboxes stay different', () => {
  expect(toEmail('\uff5a@example.com')).not.toBe(toEmail('z@example.com'))
  expect(toEmail('z+tag@example.com')).not.toBe(toEmail('z@example.com'))
})

test.each([
  '\u0000',
  '\u001b',
  '\u007f',
  '\u00ad',
  '\u034f',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2060',
  '\u3164',
  '\ufe0f',
  '\ud800',
])('an e-mail address with %j is refused', (character) => {
  for (const email of [`a${character}b@example.com`, `${character}ab@example.com`, `ab@example${character}.com`]) {
    expect([email, isEmail(toEmail(email))]).toEqual([email, false])
  }
})

test.each(['pilot@example.com', 'zoë@exämple.com', 'パイロット@example.jp', `${'a'.repeat(242)}@example.com`])(
  'the e-mail address %s is accepted',
  (email) => expect(isEmail(email)).toBe(true),
)

test.each(['', 'pilot', 'a b@example.com', 'a@b@example.com', `${'a'.repeat(243)}@example.com`])(
  '"%s" is not an e-mail address',
  (email) => expect(isEmail(email)).toBe(false),
)

describe.each(storages)('over $name', ({ open }) => {
  test('an address has one account, however it is typed, and none with an invisible character', async () => {
    const { directory } = await open({ clock: createManualClock() })
    const users = createUsers({ directory })
    const first = await users.create('zoe\u0308@example.com', password)
    const second = await users.create('ZOË@example.com', password)
    expect([first, second]).toMatchObject([
      { kind: 'signed-in', isNew: true },
      { kind: 'signed-in', isNew: false },
    ])
    expect(await users.create('zo\u200bë@example.com', password)).toEqual({ kind: 'refused', failure: 'wrong-email' })
    expect((await directory.list('user')).map(({ email }) => email)).toEqual(['zoë@example.com'])
  })
})
