/** The contract suite of `Spool`. Each test creates a new spool. Pass the `test` function of any test runner. */
import assert from 'node:assert/strict'
import type { Spool } from './spool.ts'

/** The `test` function of Vitest or node:test, for example. */
export type RegisterTest = (name: string, body: () => Promise<void>) => unknown

export interface SpoolSubject {
  spool: Spool
  /** Called when the test ends, even if it fails, after the spool was closed. */
  close?(): Promise<void>
}

export function spoolContract(
  test: RegisterTest,
  create: (options: { maxBytes: number }) => Promise<SpoolSubject>,
): void {
  fact('a new spool is empty', 100, async (spool) => {
    assert.deepEqual(await spool.peek(10, 100), [])
    assert.deepEqual(spool.counters(), { entries: 0, bytes: 0, dropped: 0, lastSequence: 0 })
  })

  fact('appended positions are read back unchanged, oldest first', 10_000, async (spool) => {
    const positions = ['{"a":1e2, "b":"Länsi 🛰"}', '{"big":12345678901234567890}', '{"\\u0041":"\\ud800"}']
    await spool.append(positions.slice(0, 2), 1_000)
    await spool.append(positions.slice(2), 2_000)

    const entries = await spool.peek(10, 10_000)
    assert.deepEqual(
      entries.map(({ json, spooledAtMs }) => ({ json, spooledAtMs })),
      positions.map((json, index) => ({ json, spooledAtMs: index < 2 ? 1_000 : 2_000 })),
    )
    for (const { json, bytes } of entries) assert.equal(bytes, Buffer.byteLength(json))
  })

  fact('sequences increase, and lastSequence is the newest', 100, async (spool) => {
    await spool.append(['1', '2', '3'], 0)

    const sequences = (await spool.peek(10, 100)).map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => a - b),
    )
    assert.equal(spool.counters().lastSequence, sequences.at(-1))
  })

  fact('peek() removes nothing', 100, async (spool) => {
    await spool.append(['1', '2'], 0)
    assert.deepEqual(await spool.peek(2, 100), await spool.peek(2, 100))
    assert.equal(spool.counters().entries, 2)
  })

  fact('peek() returns at most maxCount entries', 100, async (spool) => {
    await spool.append(['1', '2', '3'], 0)
    assert.deepEqual(texts(await spool.peek(2, 100)), ['1', '2'])
  })

  fact('peek() returns at most maxBytes, with one byte counted between two entries', 100, async (spool) => {
    await spool.append(['11', '22', '33'], 0)
    assert.deepEqual(texts(await spool.peek(3, 4)), ['11'])
    assert.deepEqual(texts(await spool.peek(3, 5)), ['11', '22'])
    assert.deepEqual(texts(await spool.peek(3, 8)), ['11', '22', '33'])
  })

  fact('peek() returns the first entry even if it is larger than maxBytes', 100, async (spool) => {
    await spool.append(['12345', '6'], 0)
    assert.deepEqual(texts(await spool.peek(10, 1)), ['12345'])
  })

  fact('remove() removes every entry up to the sequence and resolves with their number', 100, async (spool) => {
    await spool.append(['1', '2', '3'], 0)
    const [, second] = await spool.peek(2, 100)
    assert.ok(second)

    assert.equal(await spool.remove(1, second.sequence), 2)
    assert.equal(await spool.remove(1, second.sequence), 0)
    assert.deepEqual(texts(await spool.peek(10, 100)), ['3'])
    assert.deepEqual({ ...spool.counters(), lastSequence: 0 }, { entries: 1, bytes: 1, dropped: 0, lastSequence: 0 })
  })

  fact('peek() after a sequence returns the entries behind it', 100, async (spool) => {
    await spool.append(['1', '2', '3'], 0)
    const [, second] = await spool.peek(2, 100)
    assert.deepEqual(texts(await spool.peek(10, 100, second?.sequence)), ['3'])
    assert.deepEqual(await spool.peek(10, 100, spool.counters().lastSequence), [])
  })

  fact('entries can be removed from the middle; the others keep their order', 100, async (spool) => {
    await spool.append(['1', '2', '3', '4', '5'], 0)
    const sequences = (await spool.peek(10, 100)).map(({ sequence }) => sequence)

    assert.equal(await spool.remove(sequences[2] ?? 0, sequences[3] ?? 0), 2)
    assert.deepEqual(texts(await spool.peek(10, 100)), ['1', '2', '5'])
    assert.deepEqual(texts(await spool.peek(10, 100, sequences[1])), ['5'])
    assert.equal(spool.counters().entries, 3)
    assert.equal(spool.counters().bytes, 3)
    assert.equal(await spool.remove(sequences[0] ?? 0, sequences[4] ?? 0), 3)
    assert.equal(spool.counters().entries, 0)
  })

  fact('a sequence is not used again after all entries were removed', 100, async (spool) => {
    await spool.append(['1'], 0)
    const { lastSequence } = spool.counters()
    await spool.remove(1, lastSequence)
    await spool.append(['2'], 0)
    const [entry] = await spool.peek(1, 100)
    assert.ok(entry && entry.sequence > lastSequence)
  })

  fact('when the spool is full, the oldest entries are dropped and counted', 10, async (spool) => {
    await spool.append(['aaaa', 'bbbb'], 0)
    assert.equal((await spool.append(['cc'], 0)).dropped, 0)
    const { dropped } = await spool.append(['d'], 0)

    assert.ok(dropped >= 1)
    assert.equal(spool.counters().dropped, dropped)
    assert.ok(spool.counters().bytes <= 10)
    assert.equal(texts(await spool.peek(10, 100)).at(-1), 'd')
    assert.equal(spool.counters().entries, 4 - dropped)
  })

  fact('an append that is larger than the limit keeps its newest entries', 4, async (spool) => {
    const { dropped } = await spool.append(['aa', 'bb', 'cc'], 0)
    assert.ok(dropped >= 1)
    assert.equal(texts(await spool.peek(10, 100)).at(-1), 'cc')
    assert.equal(spool.counters().entries + dropped, 3)
  })

  fact('positions are stored and read while the service is offline, too', 1_000, async (spool) => {
    spool.setOnline?.(false)
    await spool.append(['1'], 0)
    spool.setOnline?.(true)
    await spool.append(['2'], 0)
    assert.deepEqual(texts(await spool.peek(10, 100)), ['1', '2'])
  })

  fact('an append with a position larger than the limit is refused as a whole', 4, async (spool) => {
    await spool.append(['a'], 0)
    await assert.rejects(spool.append(['b', '12345'], 0), { code: 'position_too_large' })
    assert.deepEqual(texts(await spool.peek(10, 100)), ['a'])
  })

  fact('order and counters stay correct over many appends and removals', 1_000_000, async (spool) => {
    const seen: string[] = []
    let next = 0
    for (let round = 0; round < 300; round += 1) {
      await spool.append(
        Array.from({ length: 10 }, () => String(next++)),
        round,
      )
      const batch = await spool.peek(round % 20, 1_000)
      seen.push(...texts(batch))
      const [first] = batch
      const last = batch.at(-1)
      if (first && last) assert.equal(await spool.remove(first.sequence, last.sequence), batch.length)
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
        await spool.close?.()
        await close?.()
      }
    })
  }
}

function texts(entries: readonly { json: string }[]): string[] {
  return entries.map(({ json }) => json)
}
