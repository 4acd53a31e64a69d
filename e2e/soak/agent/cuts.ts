/**
 * Cuts and damages the files of a file spool at random places, as a power cut and a worn SD card do, and opens the
 * folder.
 * In: the number of cuts. Out: the counts, and one line for each violation: a position that was whole before the damage
 * and is not delivered, one that was never stored, a wrong order, damage that is not counted, a folder that cannot be
 * used afterwards.
 */
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileSpool, fileSpool } from '@posrep/sensor-agent/file-spool'
import { createRandom, type Random } from '../random.ts'

export interface CutsResult {
  cuts: number
  delivered: number
  violations: string[]
}

/** Thousands of folders are copied and removed; a disk would only be slower. */
const inMemory = '/dev/shm'

export async function soakAgentCuts({ cuts, seed }: { cuts: number; seed: number }): Promise<CutsResult> {
  const random = createRandom(seed)
  const folder = await mkdtemp(join(existsSync(inMemory) ? inMemory : tmpdir(), 'posrep-soak-cuts-'))
  const violations: string[] = []
  let delivered = 0
  try {
    const original = join(folder, 'original')
    await fill(original, random)
    const names = await readdir(original)
    const files = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(original, name))] as const)),
    )
    const stored = await readAll(original, join(folder, 'copy'))
    for (let cut = 1; cut <= cuts; cut += 1) {
      const copy = join(folder, 'cut')
      await rm(copy, { recursive: true, force: true })
      await cp(original, copy, { recursive: true })
      const name = names[random.whole(0, names.length - 1)] ?? ''
      const what = await harm(join(copy, name), random)
      const expected = toExpected(stored, name.endsWith('.spool') ? files.get(name) : undefined, what)
      const outcome = await checkFolder(copy, expected)
      delivered += outcome.delivered
      for (const violation of outcome.violations)
        violations.push(`cut ${cut}, ${name}, ${what.kind} at ${what.at}: ${violation}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { cuts, delivered, violations }
}

/**
 * Three runs of an agent leave three segments, with notes of what was sent from the live positions and from the
 * backlog.
 */
async function fill(folder: string, random: Random): Promise<void> {
  let next = 1
  for (let run = 0; run < 3; run += 1) {
    const spool = await fileSpool(folder)
    const count = random.whole(20, 60)
    for (let added = 0; added < count; added += 1) await spool.append([aPosition(next++)], 1_000)
    const { lastSequence } = spool.counters()
    await spool.remove(1, random.whole(2, 9))
    await spool.remove(lastSequence - 8, lastSequence - 3)
    await spool.close()
  }
}

function aPosition(number: number): string {
  return JSON.stringify({ id: String(number), note: '🛰'.repeat(number % 11) })
}

interface Harm {
  kind: 'cut' | 'flip' | 'zeros'
  at: number
  /** Bytes from `at` on that are not as they were. */
  bytes: number
}

async function harm(file: string, random: Random): Promise<Harm> {
  const bytes = await readFile(file)
  const at = random.whole(0, bytes.length - 1)
  const kind = random.chance(0.6) ? 'cut' : random.chance(0.5) ? 'flip' : 'zeros'
  if (kind === 'cut') {
    await writeFile(file, bytes.subarray(0, at))
    return { kind, at, bytes: bytes.length - at }
  }
  const length = kind === 'flip' ? 1 : Math.min(random.whole(1, 300), bytes.length - at)
  for (let offset = at; offset < at + length; offset += 1) {
    bytes[offset] = kind === 'flip' ? (bytes[offset] ?? 0) ^ random.whole(1, 255) : 0
  }
  await writeFile(file, bytes)
  return { kind, at, bytes: length }
}

async function checkFolder(folder: string, expected: Expected) {
  const violations: string[] = []
  const spool = await fileSpool(folder)
  const { damaged } = spool.recovery
  const fresh = '{"id":"fresh"}'
  await spool.append([fresh], 2_000)
  const got = await drain(spool)
  await spool.close()

  const numbers = got.slice(0, -1).map((text) => Number((JSON.parse(text) as { id: string }).id))
  if (got.at(-1) !== fresh) violations.push('a new position was not delivered last')
  if (numbers.some((number, at) => number <= (numbers[at - 1] ?? 0))) violations.push('the order is wrong')
  const invented = got.slice(0, -1).filter((text, at) => text !== aPosition(numbers[at] ?? 0))
  if (invented.length > 0) violations.push(`a position is not as it was stored: ${invented[0]}`)
  const missing = expected.whole.filter((number) => !numbers.includes(number))
  if (missing.length > 0) violations.push(`whole positions are missing: ${missing.join()}`)
  if (expected.mustCount && damaged !== 1) violations.push(`${damaged} positions are counted as damaged, not 1`)

  const again = await fileSpool(folder)
  if (again.counters().entries !== 0 || !again.recovery.cleanStop) violations.push('the folder is not clean afterwards')
  await again.close()
  return { delivered: got.length, violations }
}

interface Expected {
  /** Numbers of the positions that the damage has not touched. */
  whole: number[]
  /** Whether exactly one damaged position has to be counted. */
  mustCount: boolean
}

/** `segment`: the file that was harmed, as it was before, if it has positions. */
function toExpected(stored: readonly string[], segment: Buffer | undefined, { kind, at, bytes }: Harm): Expected {
  const isTouched = (text: string) => {
    const from = segment?.indexOf(text) ?? -1
    // The record has 29 bytes before its text.
    return from >= 0 && from + Buffer.byteLength(text) > at && from - 29 < at + bytes
  }
  const whole = stored.filter((text) => !isTouched(text))
  return {
    whole: whole.map((text) => Number((JSON.parse(text) as { id: string }).id)),
    mustCount: kind === 'flip' && whole.length < stored.length,
  }
}

async function readAll(original: string, copy: string): Promise<string[]> {
  await cp(original, copy, { recursive: true })
  const spool = await fileSpool(copy)
  const all = await drain(spool)
  await spool.close()
  return all
}

async function drain(spool: FileSpool): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const batch = await spool.peek(50, 1_000_000)
    const [first] = batch
    const last = batch.at(-1)
    if (!first || !last) return texts
    texts.push(...batch.map(({ json }) => json))
    await spool.remove(first.sequence, last.sequence)
  }
}
