import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileTokenStore } from '../../src/tokens/file-token-store.ts'

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

test('a temporary file that is a link, or that others can read, gets no tokens', async () => {
  const file = join(folder, 'tokens.json')
  const other = join(folder, 'other')
  await writeFile(other, 'unchanged')
  await symlink(other, `${file}.new`)
  await fileTokenStore(file).write(tokens)
  expect(await readFile(other, 'utf8')).toBe('unchanged')

  await writeFile(`${file}.new`, '')
  await chmod(`${file}.new`, 0o666)
  await fileTokenStore(file).write(tokens)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
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
