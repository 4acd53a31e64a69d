/**
 * The contract suite of `TokenStore`. Each test creates a new store. Pass the `test` function of any test runner.
 */
import assert from 'node:assert/strict'
import type { Tokens } from '../session/tokens.ts'
import type { TokenStore } from './token-store.ts'

/** The `test` function of Vitest or node:test, for example. */
export type RegisterTest = (name: string, body: () => Promise<void>) => unknown

export interface TokenStoreSubject {
  /** New, without tokens. */
  store: TokenStore
  /**
   * Another store object for the same tokens, as another tab or process has it. Without it, tests of sharing are left
   * out.
   */
  sibling?: TokenStore
  /** Closes what was opened. Called when the test ends, even if it fails. */
  close?(): Promise<void> | void
}

const first: Tokens = { accessToken: 'access-1', refreshToken: 'refresh-1' }
const second: Tokens = {
  accessToken: 'access-2',
  refreshToken: 'Länsi "🛰"',
  scope: 'surveillance_api',
  expiresAtMs: 1_767_787_230_250.5,
  refreshAtMs: 1_767_787_140_250,
}

/** Registers a test for each rule of `TokenStore`. @param create Creates a store for one test. */
export function tokenStoreContract(test: RegisterTest, create: () => Promise<TokenStoreSubject>): void {
  fact('a new store has no tokens', async ({ store }) => {
    assert.equal(await store.read(), undefined)
  })

  fact('tokens are read back unchanged', async ({ store }) => {
    await store.write(second)
    assert.deepEqual(await store.read(), second)
  })

  fact('a write replaces the tokens as a whole', async ({ store }) => {
    await store.write(second)
    await store.write(first)
    assert.deepEqual(await store.read(), first)
  })

  fact('cleared tokens are gone, and clearing an empty store does nothing', async ({ store }) => {
    await store.clear()
    await store.write(first)
    await store.clear()
    await store.clear()
    assert.equal(await store.read(), undefined)
  })

  fact('tokens can be written again after they were cleared', async ({ store }) => {
    await store.write(first)
    await store.clear()
    await store.write(second)
    assert.deepEqual(await store.read(), second)
  })

  fact('a reader during writes sees whole tokens', async ({ store }) => {
    await store.write(first)
    const writes = Array.from({ length: 20 }, (_, n) => store.write(n % 2 === 0 ? second : first))
    const reads = await Promise.all(Array.from({ length: 20 }, () => store.read()))
    await Promise.all(writes)
    for (const tokens of reads) assert.ok([first.accessToken, second.accessToken].includes(tokens?.accessToken ?? ''))
    assert.deepEqual(await store.read(), first)
  })

  fact('tokens of one store are the tokens of its sibling', async ({ store, sibling }) => {
    if (!sibling) return
    await store.write(first)
    assert.deepEqual(await sibling.read(), first)
    await sibling.write(second)
    assert.deepEqual(await store.read(), second)
    await sibling.clear()
    assert.equal(await store.read(), undefined)
  })

  fact('tasks under the lock run one after another, also those of the sibling', async ({ store, sibling = store }) => {
    if (!store.lock) return
    let running = 0
    let most = 0
    const task = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    }
    await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? store : sibling).lock?.(task)))
    assert.equal(most, 1)
  })

  fact('the lock returns what its task returns, and is released when the task fails', async ({ store }) => {
    if (!store.lock) return
    await assert.rejects(
      store.lock(() => Promise.reject(new Error('the task failed'))),
      /the task failed/,
    )
    assert.equal(await store.lock(async () => 7), 7)
  })

  fact('tokens can be read and written by the task that holds the lock', async ({ store }) => {
    const read = async () => {
      await store.write(first)
      return store.read()
    }
    assert.deepEqual(await (store.lock ? store.lock(read) : read()), first)
  })

  function fact(name: string, body: (subject: TokenStoreSubject) => Promise<void>): void {
    test(name, async () => {
      const subject = await create()
      try {
        await body(subject)
      } finally {
        await subject.close?.()
      }
    })
  }
}
