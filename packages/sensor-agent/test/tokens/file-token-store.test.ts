import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileTokenStore } from '../../src/tokens/file-token-store.ts'
import { describeMachine, isSameMachine, type Machine } from '../../src/tokens/machine.ts'

const tokens = {
  accessToken: 'a',
  refreshToken: 'r',
  issuedAtMs: 1,
  expiresAtMs: 2,
  sensorId: 'urn:aa:device:acme:roof1',
}
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-tokens-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

test('tokens are read back by another store on the same file, until they are cleared', async () => {
  const file = join(folder, 'tokens.json')
  const store = fileTokenStore(file)
  expect(await store.read()).toBeUndefined()

  await store.write({ ...tokens, accessToken: 'old' })
  await store.write(tokens)
  expect(await fileTokenStore(file).read()).toEqual(tokens)
  await store.clear()

  expect(await store.read()).toBeUndefined()
  await store.clear()
})

test('only the owner can read the file, and no other file remains', async () => {
  const file = join(folder, 'tokens.json')
  await fileTokenStore(file).write(tokens)

  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['tokens.json'])
})

test.each(['', '{"accessToken":"secret"', '{}', 'null', '{"accessToken":"secret","refreshToken":""}'])(
  'a file that contains %j is refused, and its content is not in the message',
  async (text) => {
    const file = join(folder, 'tokens.json')
    await writeFile(file, text)

    const error = await fileTokenStore(file)
      .read()
      .catch((error: Error) => error)

    expect(String(error)).toContain('tokens.json')
    expect(String(error)).not.toContain('secret')
  },
)

test('a write to a missing folder fails', async () => {
  await expect(fileTokenStore(join(folder, 'no', 'tokens.json')).write(tokens)).rejects.toThrow('ENOENT')
})

const here: Machine = { serial: '', cards: ['card-1', 'card-2'], installation: 'install-1' }

test.each<[string, Partial<Machine>, boolean]>([
  ['the same machine', {}, true],
  ['a machine with one network card replaced', { cards: ['card-2', 'card-3'] }, true],
  ['a cloned disk in other hardware', { cards: ['card-9'] }, false],
  ['a machine that was installed again', { installation: 'install-2' }, true],
  ['another installation whose hardware is unknown', { cards: [], installation: 'install-2' }, false],
  ['a machine of which nothing is known', { cards: [], installation: '' }, true],
])('the tokens of a machine, read on %s: accepted is %3$s', async (_, change, isAccepted) => {
  const file = join(folder, 'tokens.json')
  await fileTokenStore(file, { machine: async () => here }).write(tokens)

  const reading = fileTokenStore(file, { machine: async () => ({ ...here, ...change }) }).read()

  if (isAccepted) expect(await reading).toEqual(tokens)
  else await expect(reading).rejects.toMatchObject({ code: 'identity_cloned' })
})

test('a serial number decides before network cards', async () => {
  const file = join(folder, 'tokens.json')
  await fileTokenStore(file, { machine: async () => ({ ...here, serial: 's1' }) }).write(tokens)

  const reading = fileTokenStore(file, { machine: async () => ({ ...here, serial: 's2' }) }).read()

  await expect(reading).rejects.toMatchObject({ code: 'identity_cloned' })
})

test('an adopted identity belongs to the new machine from then on', async () => {
  const file = join(folder, 'tokens.json')
  const other = async () => ({ ...here, cards: ['card-9'] })
  await fileTokenStore(file, { machine: async () => here }).write(tokens)

  expect(await fileTokenStore(file, { machine: other, adopt: true }).read()).toEqual(tokens)

  expect(await fileTokenStore(file, { machine: other }).read()).toEqual(tokens)
  const before = fileTokenStore(file, { machine: async () => here })
  await expect(before.read()).rejects.toMatchObject({ code: 'identity_cloned' })
})

test('tokens without a machine, as an export writes them, are bound to the first machine that reads them', async () => {
  const file = join(folder, 'tokens.json')
  await writeFile(file, JSON.stringify(tokens))

  expect(await fileTokenStore(file, { machine: async () => here }).read()).toEqual(tokens)

  const elsewhere = fileTokenStore(file, { machine: async () => ({ ...here, cards: ['card-9'] }) })
  await expect(elsewhere.read()).rejects.toMatchObject({ code: 'identity_cloned' })
})

test('this machine is itself, and its file has no serial number or address in the clear', async () => {
  const one = await describeMachine()
  expect(isSameMachine(one, await describeMachine())).toBe(true)
  expect(JSON.stringify(one)).not.toMatch(/([0-9a-f]{2}:){5}/)
})
