/**
 * Hashes the id and the time of a position, so that seen positions can be remembered without their ids.
 * In: id and time. Out: an integer of 53 bits, never 0. Equal positions have equal keys. Two different positions have equal
 * keys with a probability of about 10^-15. All threads of a process share a random seed, so that senders cannot choose ids
 * that collide.
 */
import { randomInt } from 'node:crypto'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const seedsName = 'posrep: seeds of position keys'
// Threads that start later read the same seeds.
const seeds = (getEnvironmentData(seedsName) ?? [randomInt(2 ** 32), randomInt(2 ** 32)]) as [number, number]
setEnvironmentData(seedsName, seeds)
const [seedHigh, seedLow] = seeds

const time = new Float64Array(1)
const timeBits = new Uint32Array(time.buffer)

export function keyOf(id: string, timeMs: number): number {
  // -0 and 0 are the same time.
  time[0] = timeMs + 0
  let high = stepHigh(seedHigh, timeBits[0] ?? 0)
  let low = stepLow(seedLow, timeBits[0] ?? 0)
  high = stepHigh(high, timeBits[1] ?? 0)
  low = stepLow(low, timeBits[1] ?? 0)
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    high = stepHigh(high, code)
    low = stepLow(low, code)
  }
  low = spread(low ^ (high >>> 15))
  high = spread(high ^ low)
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0) || 1
}

/** Each step is a bijection, so two texts that differ in one character do not collide. */
function stepHigh(state: number, value: number): number {
  return Math.imul(((state << 13) | (state >>> 19)) ^ value, 0x9e3779b1)
}

function stepLow(state: number, value: number): number {
  return Math.imul(((state << 17) | (state >>> 15)) ^ value, 0x85ebca77)
}

/** A finalizer: each bit of the result depends on each bit of the state. */
function spread(state: number): number {
  const first = Math.imul(state ^ (state >>> 16), 0x7feb352d)
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b)
  return second ^ (second >>> 16)
}
