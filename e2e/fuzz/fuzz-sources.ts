/**
 * Sends broken input of receivers into the mappers of the sensor agent's sources, and into recordings.
 * In: how many inputs per source, a seed. Out: what went wrong: an exception, an input that gave neither a position nor
 * a count, a position that the service would refuse, one that is not on Earth, and a time that the input does not
 * state.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAircraftJsonMapper, createRemoteIdMapper, createSbsMapper, replay } from '@posrep/sensor-agent/sources'
import type { PositionData } from '@posrep/spec'
import { vPositionData } from '@posrep/spec/validators'
import fc from 'fast-check'
import { garbled, mutated } from './mutations.ts'
import { receivedAtMs, remoteIds, sbsLines, snapshots } from './source-inputs.ts'

export interface SourceFuzz {
  inputs: number
  positions: number
  unusable: number
  faults: string[]
}

/** The parts of a source: `feed` returns the positions of one input. */
interface Subject {
  feed(text: string): PositionData[]
  /** What the inputs must add up to: each gave a position, or was counted. */
  isCounted(): boolean
  unusable(): number
}

const dayMs = 86_400_000
const maxFaults = 10

const toText = (value: unknown) => JSON.stringify(value) ?? ''
const broken = (values: fc.Arbitrary<unknown>) =>
  fc.oneof(values.map(toText), mutated(values).map(toText), garbled(values.map(toText)).map(String))

const subjects: Record<string, { inputs: fc.Arbitrary<string>; create(): Subject }> = {
  sbs: { inputs: fc.oneof(sbsLines, garbled(sbsLines).map(String)), create: createSbs },
  'aircraft.json': { inputs: broken(snapshots), create: createAircraftJson },
  'remote-id': { inputs: broken(remoteIds), create: createRemoteId },
}

export async function fuzzSources({ inputs, seed }: { inputs: number; seed: number }): Promise<SourceFuzz> {
  const result: SourceFuzz = { inputs: 0, positions: 0, unusable: 0, faults: [] }
  for (const [name, { inputs: arbitrary, create }] of Object.entries(subjects)) {
    const texts = fc.sample(arbitrary, { numRuns: inputs, seed })
    const subject = create()
    for (const text of texts) {
      result.inputs += 1
      try {
        const positions = subject.feed(text)
        result.positions += positions.length
        for (const position of positions) check(position, text, (fault) => add(`${name}: ${fault}`))
        if (!subject.isCounted()) add(`${name}: an input was neither reported nor counted: ${text}`)
      } catch (error) {
        add(`${name}: ${error} for ${text}`)
      }
    }
    result.unusable += subject.unusable()
    await playRecording(name, texts)
  }
  return result

  function add(fault: string): void {
    if (result.faults.length < maxFaults) result.faults.push(fault)
  }

  /** The same inputs as a file: every line is played, or told. */
  async function playRecording(name: string, texts: readonly string[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'posrep-fuzz-'))
    const file = join(folder, 'recording')
    await writeFile(file, texts.join('\n'))
    let told = 0
    let played = 0
    try {
      const clock = { now: () => receivedAtMs, elapsed: () => 0, setBackMs: () => 0, sleep: async () => undefined }
      for await (const position of replay(file, { clock, onUnusable: () => (told += 1) })) {
        played += 1
        if (!isPosition(position)) add(`recording of ${name}: not a position: ${toText(position)}`)
      }
    } catch (error) {
      // A recording without any position is refused as a whole.
      if (!String(error).includes('it contains no position')) add(`recording of ${name}: ${error}`)
    } finally {
      await rm(folder, { recursive: true })
    }
    if (told + played === 0) add(`recording of ${name}: nothing was played and nothing told`)
  }
}

function check(position: PositionData, input: string, add: (fault: string) => void): void {
  if (!isPosition(position)) {
    add(`the service would refuse ${toText(position)} of ${input}`)
    return
  }
  const { lat, lon } = position.position
  if (lat === 0 && lon === 0) add(`0/0 of ${input}`)
  const atMs = Date.parse(position.sourceTimeStamp)
  if (Math.abs(atMs - receivedAtMs) > dayMs && !statesTime(input, atMs))
    add(`the time ${position.sourceTimeStamp} is not in ${input}`)
}

/** Whether the text has a number or a date that means the time, or one of the minute before. */
function statesTime(text: string, ms: number): boolean {
  const numbers = [...text.matchAll(/[\d.]+(?:[eE][+-]?\d+)?/g)].flatMap(([number]) => [
    Number(number) * 1_000,
    Number(number),
  ])
  // Some receivers write 2026/1/25.
  const dates = [...text.matchAll(/(\d{4})[-/](\d{1,2})[-/](\d{1,2})/g)].map(([, year, month, day]) =>
    Date.UTC(Number(year), Number(month) - 1, Number(day)),
  )
  return (
    numbers.some((stated) => Math.abs(stated - ms) <= 61_000) || dates.some((day) => Math.abs(day - ms) <= 2 * dayMs)
  )
}

/** As the service checks it. */
function isPosition(value: unknown): boolean {
  const checked = vPositionData['~standard'].validate(value)
  return !('then' in checked) && checked.issues === undefined
}

function createSbs(): Subject {
  const mapper = createSbsMapper({ receivedAtMs: () => receivedAtMs })
  let lines = 0
  return {
    feed(text) {
      if (text.trim() !== '') lines += 1
      return [mapper.map(text)].filter((position) => position !== undefined)
    },
    isCounted() {
      const { positions, repetitions, withoutPosition, unparsable, reasons } = mapper.counters()
      return positions + repetitions + withoutPosition + unparsable === lines && sumOf(reasons) === unparsable
    },
    unusable: () => mapper.counters().unparsable,
  }
}

function createAircraftJson(): Subject {
  const mapper = createAircraftJsonMapper()
  let values = 0
  let noJson = 0
  return {
    feed(text) {
      const value = parse(text)
      if (value === undefined) noJson += 1
      else values += 1
      return value === undefined ? [] : mapper.map(value, receivedAtMs)
    },
    isCounted() {
      const { snapshots, aircraft, positions, repetitions, withoutPosition, unparsable, reasons } = mapper.counters()
      const noSnapshot = values - snapshots
      return (
        positions + repetitions + withoutPosition + unparsable === aircraft + noSnapshot &&
        sumOf(reasons) === unparsable
      )
    },
    unusable: () => mapper.counters().unparsable + noJson,
  }
}

function createRemoteId(): Subject {
  const mapper = createRemoteIdMapper({ receivedAtMs: () => receivedAtMs })
  let noJson = 0
  return {
    feed(text) {
      const value = parse(text)
      if (value === undefined) noJson += 1
      return value === undefined ? [] : mapper.map(value)
    },
    isCounted() {
      const { messages, positions, repetitions, unparsable, reasons } = mapper.counters()
      return positions + repetitions + unparsable === messages && sumOf(reasons) === unparsable
    },
    unusable: () => mapper.counters().unparsable + noJson,
  }
}

function sumOf(counts: Partial<Record<string, number>>): number {
  return Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0)
}

/** What the sources count as no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
