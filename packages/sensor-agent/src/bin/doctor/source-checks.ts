/**
 * Listens to each source for a moment; nothing is sent.
 * In: sources. Out: a check for each: how many positions it has, whether they are of now, and if not, the likely cause.
 */
import type { PositionData } from '@posrep/spec'
import { toReason } from '../../errors.ts'
import { systemClock } from '../../ports.ts'
import { checkPositionJson, toPositionJson } from '../../positions.ts'
import { runSource, type Source } from '../../sources/source.ts'
import { toTimeMs } from '../../sources/time.ts'
import { type Check, failed, ok, skipped, warning } from './check.ts'

/** Long enough for a receiver that writes every second. */
const listenMs = 5_000
const maxPositions = 100
/** Receivers and networks are seconds late, at most. */
const currentMs = 60_000
const quarterMs = 15 * 60_000

export async function checkSources(sources: readonly Source[]): Promise<Check[]> {
  if (sources.length === 0) return [skipped('source', 'no source was given')]
  return Promise.all(sources.map(checkSource))
}

/** A source that only waits for others is started and stopped. */
async function checkSource(source: Source): Promise<Check> {
  const name = `source ${source.name}`
  const stop = new AbortController()
  let [positions, newestMs, state, unusable] = [0, Number.NEGATIVE_INFINITY, '', '']
  const take = (json: string) => {
    positions += 1
    newestMs = Math.max(newestMs, toTimeMs(JSON.parse(json).sourceTimeStamp) ?? newestMs)
    if (positions > maxPositions) stop.abort()
  }
  const agent = {
    report: async (given: PositionData | readonly PositionData[]) =>
      [given]
        .flat()
        .map((position) => toPositionJson(position, 'position'))
        .forEach(take),
    reportJson: async (given: string | readonly string[]) =>
      [given]
        .flat()
        .map((json) => checkPositionJson(json, 'position'))
        .forEach(take),
    stats: () => ({ spooledBytes: 0 }),
  }
  void systemClock.sleep(listenMs, stop.signal).then(() => stop.abort())
  try {
    await runSource(source, agent, {
      signal: stop.signal,
      onState: (message) => (state = message),
      onUnusable: (message) => (unusable = message),
    })
  } catch (error) {
    return failed(name, toReason(error), 'check the source, and the flag that names it')
  } finally {
    stop.abort()
  }
  if (positions > 0) return checkTime(name, positions, newestMs - systemClock.now())
  if (unusable !== '')
    return failed(name, unusable, 'the input has another format; try posrep-agent lint with a sample of it')
  if (/cannot be read|next try/.test(state)) return failed(name, state, 'check that the receiver runs, and its address')
  return warning(
    name,
    state === '' ? 'no position' : state,
    `no position in ${listenMs / 1_000} s; check the receiver and its antenna`,
  )
}

/** @param aheadMs the newest position's time minus this machine's. */
export function checkTime(name: string, positions: number, aheadMs: number): Check {
  const count = `${positions > maxPositions ? `more than ${maxPositions}` : positions} positions in ${listenMs / 1_000} s`
  if (Math.abs(aheadMs) <= currentMs) return ok(name, count)
  const detail = `${count}, but the newest is ${toText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'old'}`
  return warning(name, detail, toAdvice(aheadMs))
}

/** The offsets of time zones are whole quarters of an hour, up to 14 hours. */
function toAdvice(aheadMs: number): string {
  const isZone = Math.abs(aheadMs - Math.round(aheadMs / quarterMs) * quarterMs) <= currentMs
  if (isZone && Math.abs(aheadMs) <= 14 * 3_600_000 + currentMs)
    return 'this may be the offset of a time zone: give the one of the receiver with --time-zone, or set its clock'
  if (aheadMs > 0) return "set the receiver's clock (NTP)"
  return 'check that the receiver still runs and writes, and its clock; a recording is played with --replay'
}

function toText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} h` : `${Math.round(minutes / 1_440)} days`
}
