/** What every `Spool` does, as tests over a fresh one each. For any test runner: pass its `test`. */
import assert from 'node:assert/strict'
import type { Spool } from './spool.ts'

/** Vitest's and node:test's `test` both fit. */
export type RegisterTest = (name: string, body: () => Promise<void>) => unknown

export interface SpoolSubject {
  spool: Spool
  /** Closes files; called when the test ends, however it ends. */
  close?(): Promise<void>
}

export function spoolContract(
  test: RegisterTest,
  create: (options: { maxBytes: number }) => Promise<SpoolSubject>,
): void {
  fact('a spool that nothing was appended to is empty', 100, async (spool) => {
    assert.deepEqual(await spool.peek(10, 100), [])
    assert.deepEqual(spool.counters(), { entries: 0, bytes: 0, dropped: 0, lastSequence: 0 })
  })

  fact('what was appended is read back byte for byte, oldest first', 10_000, async (spool) => {
    const positions = ['{"a":1e2, "b":"Länsi 🛰"}', '{"big":12345678901234567890}', '{"\\u0041":"\\ud800"}']
    await spool.append(positions.slice(0, 2), 1_000)
    await spool.append(positions.slice(2), 2_000)

    const entries = await spool.peek(10, 10_000)
    assert.deepEqual(
      entries.map(({ json, spooledAtMs }) => ({ json, spooledAtMs })),
      positions.map((json, at) => ({ json, spooledAtMs: at < 2 ? 1_000 : 2_000 })),
    )
    for (const { json, bytes } of entries) assert.equal(bytes, Buffer.byteLength(json))
  })

  fact('sequences rise and the newest one is counted', 100, async (spool) => {
    await spool.append(['1', '2', '3'], 0)

    const sequences = (await spool.peek(10, 100)).map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => a - b),
    )
    assert.equal(spool.counters().lastSequence, sequences.at(-1))
  })

  fact('a peek takes nothing out', 100, async (spool) => {
    await spool.append(['1', '2'], 0)
    assert.deepEqual(await spool.peek(2, 100), await spool.peek(2, 100))
    assert.equal(spool.counters().entries, 2)
  })

  fact('a peek holds to the count', 100, async (spool) => {
    await spool.append(['1', '2', '3'], 0)
    assert.deepEqual(texts(await spool.peek(2, 100)), ['1', '2'])
  })

  fact('a peek holds to the bytes, with one between neighbours', 100, async (spool) => {
    await spool.append(['11', '22', '33'], 0)
    assert.deepEqual(texts(await spool.peek(3, 4)), ['11'])
    assert.deepEqual(texts(await spool.peek(3, 5)), ['11', '22'])
    assert.deepEqual(texts(await spool.peek(3, 8)), ['11', '22', '33'])
  })

  fact('a peek gives the first entry even if it is larger than asked for', 100, async (spool) => {
    await spool.append(['12345', '6'], 0)
    assert.deepEqual(texts(await spool.peek(10, 1)), ['12345'])
  })

  fact('removing forgets everything up to the sequence and tells how many', 100, async (spool) => {
    await spool.append(['1', '2', '3'], 0)
    const [, second] = await spool.peek(2, 100)
    assert.ok(second)

    assert.equal(await spool.remove(second.sequence), 2)
    assert.equal(await spool.remove(second.sequence), 0)
    assert.deepEqual(texts(await spool.peek(10, 100)), ['3'])
    assert.deepEqual({ ...spool.counters(), lastSequence: 0 }, { entries: 1, bytes: 1, dropped: 0, lastSequence: 0 })
  })

  fact('a sequence is not used again after everything was removed', 100, async (spool) => {
    await spool.append(['1'], 0)
    const { lastSequence } = spool.counters()
    await spool.remove(lastSequence)
    await spool.append(['2'], 0)
    const [entry] = await spool.peek(1, 100)
    assert.ok(entry && entry.sequence > lastSequence)
  })

  fact('when the bound is hit the oldest make room and are counted', 10, async (spool) => {
    await spool.append(['aaaa', 'bbbb'], 0)
    assert.deepEqual(await spool.append(['cc'], 0), { dropped: 0 })
    const { dropped } = await spool.append(['d'], 0)

    assert.ok(dropped >= 1)
    assert.equal(spool.counters().dropped, dropped)
    assert.ok(spool.counters().bytes <= 10)
    assert.equal(texts(await spool.peek(10, 100)).at(-1), 'd')
    assert.equal(spool.counters().entries, 4 - dropped)
  })

  fact('an append that is larger than the bound keeps its newest', 4, async (spool) => {
    const { dropped } = await spool.append(['aa', 'bb', 'cc'], 0)
    assert.ok(dropped >= 1)
    assert.equal(texts(await spool.peek(10, 100)).at(-1), 'cc')
    assert.equal(spool.counters().entries + dropped, 3)
  })

  fact('a position that can never fit is refused, and nothing of its append is taken', 4, async (spool) => {
    await spool.append(['a'], 0)
    await assert.rejects(spool.append(['b', '12345'], 0), { code: 'position_too_large' })
    assert.deepEqual(texts(await spool.peek(10, 100)), ['a'])
  })

  fact('order and counters hold over many appends and removals', 1_000_000, async (spool) => {
    const seen: string[] = []
    let at = 0
    for (let round = 0; round < 300; round += 1) {
      await spool.append(
        Array.from({ length: 10 }, () => String(at++)),
        round,
      )
      const batch = await spool.peek(round % 20, 1_000)
      seen.push(...texts(batch))
      const last = batch.at(-1)
      if (last) assert.equal(await spool.remove(last.sequence), batch.length)
    }
    seen.push(...texts(await spool.peek(10_000, 1_000_000)))

    assert.deepEqual(
      seen,
      Array.from({ length: 3_000 }, (_, number) => String(number)),
    )
  })

  function fact(name: string, maxBytes: number, body: (spool: Spool) => Promise<void>): void {
    test(name, async () => {
      const { spool, close } = await create({ maxBytes })
      try {
        await body(spool)
      } finally {
        await close?.()
      }
    })
  }
}

function texts(entries: readonly { json: string }[]): string[] {
  return entries.map(({ json }) => json)
}
