import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { fileTokenStore } from '../../src/stores/file.ts'
import { tokenStoreContract } from '../../src/stores/token-store-contract.ts'
import { aClock, aTokens } from '../builders.ts'

let folder = ''
let file = ''
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-tokens-'))
  file = join(folder, 'tokens.json')
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

tokenStoreContract(test, async () => ({ store: fileTokenStore({ file }), sibling: fileTokenStore({ file }) }))

test('only the owner can read the file, and no other file remains', async () => {
  const store = fileTokenStore({ file })
  await store.lock?.(async () => store.write(aTokens(1)))

  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['tokens.json'])
})

test.each(['', '{"accessToken":"secret"', '{}', 'null'])(
  'a file that contains %j is refused, and its content is not in the message',
  async (text) => {
    await writeFile(file, text)

    const error = await Promise.resolve(fileTokenStore({ file }).read()).catch((error: Error) => error)

    expect(String(error)).toContain('tokens.json')
    expect(String(error)).not.toContain('secret')
  },
)

test('a write to a missing folder fails', async () => {
  await expect(fileTokenStore({ file: join(folder, 'no', 'tokens.json') }).write(aTokens(1))).rejects.toThrow('ENOENT')
})

test('eight processes that refresh at once take turns, and none loses the tokens of another', async () => {
  await fileTokenStore({ file }).write(aTokens(1))

  const processes = Array.from({ length: 8 }, () => aProcess('count', '5'))
  for (const [code] of await Promise.all(processes.map((child) => once(child, 'exit')))) expect(code).toBe(0)

  expect(await fileTokenStore({ file }).read()).toEqual({ accessToken: 'access-41' })
  expect(await readdir(folder)).toEqual(['tokens.json'])
})

test('the lock of a process that was killed is broken', async () => {
  const child = aProcess('hold')
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')

  expect(await fileTokenStore({ file }).lock?.(async () => 7)).toBe(7)
})

test('the lock of a running process is respected until it is released', async () => {
  const child = aProcess('hold')
  await once(child, 'message')
  const clock = aClock(currentTimeMs())
  const task = vi.fn(async () => {})
  const done = fileTokenStore({ file, clock }).lock?.(task)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await vi.waitFor(() => expect(clock.waiting()).toBe(1))
    await clock.advance(25)
  }
  expect(task).not.toHaveBeenCalled()

  child.send('release')
  await once(child, 'exit')
  await vi.waitFor(() => expect(clock.waiting()).toBe(1))
  await clock.advance(25)
  await done

  expect(task).toHaveBeenCalledTimes(1)
})

test('a lock that is held for longer than any refresh takes is broken, also if its process is on another machine', async () => {
  await writeFile(`${file}.lock`, '1 another-machine 4711')
  const clock = aClock(currentTimeMs())

  const done = fileTokenStore({ file, clock }).lock?.(async () => 7)
  await vi.waitFor(() => expect(clock.waiting()).toBe(1))
  await clock.advance(41_000)
  await vi.waitFor(() => expect(clock.waiting()).toBe(1))
  await clock.advance(25)

  expect(await done).toBe(7)
})

function aProcess(...args: string[]): ChildProcess {
  const child = fork(new URL('a-process.ts', import.meta.url), [file, ...args], {
    execArgv: ['--conditions=@posrep/source'],
  })
  children.push(child)
  return child
}
