import { expect, test } from 'vitest'
import { loadKeys } from '../../src/identity/keys/keys.ts'
import { anAdministration } from './an-administration.ts'

test('a rotation adds a key that signs later, and the previous key stays published', async () => {
  const { keys, directory, clock } = await anAdministration()
  await loadKeys({ directory, clock })
  const states = async () => (await keys.list()).map(({ use, state, published }) => `${use} ${state} ${published}`)
  expect(await states()).toEqual(['access-token signing true', 'relay-message signing true'])

  expect(await keys.rotate()).toMatchObject({ isNew: true })
  expect(await states()).toEqual([
    'access-token signing true',
    'access-token next true',
    'relay-message signing true',
    'relay-message next true',
  ])
  expect(await keys.rotate()).toMatchObject({ isNew: false })

  await clock.advance(60 * 60_000)
  expect(await states()).toEqual([
    'access-token retired true',
    'access-token signing true',
    'relay-message retired true',
    'relay-message signing true',
  ])

  await clock.advance(30 * 60 * 60_000)
  expect(await states()).toContain('access-token retired false')
  await keys.rotate()
  expect(await states()).not.toContain('access-token retired false')
})

test('private keys are never shown', async () => {
  const { keys, directory, clock } = await anAdministration()
  await loadKeys({ directory, clock })
  const [stored] = await directory.list('signingKey')
  expect(JSON.stringify(await keys.list())).not.toContain(stored?.privateJwk.d)
})

test('a dropped key is removed and its successor signs at once; the error for an unknown key names it', async () => {
  const { keys, directory, clock } = await anAdministration()
  await loadKeys({ directory, clock })
  const [first] = await keys.list()

  const { signingKid, keys: left } = await keys.drop(first?.kid ?? '')
  expect(left.map(({ kid, use, state }) => [kid, use, state])).toContainEqual([signingKid, 'access-token', 'signing'])
  expect(left.map(({ kid }) => kid)).not.toContain(first?.kid)
  await expect(keys.drop(first?.kid ?? '')).rejects.toMatchObject({ code: 'not_found' })
})
