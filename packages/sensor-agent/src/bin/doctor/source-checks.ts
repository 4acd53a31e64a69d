/**
 * Listens to each source for a moment; nothing is sent.
 * In: sources. Out: a check for each: how many positions it has, whether they are of now, and if not, the likely cause.
 */
import type { PositionData } from '@posrep/spec'
import { describeDuration } from '../../describe-duration.ts'
import { toReason } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports.ts'
import { checkPositionJson, toPositionJson } from '../../positions.ts'
import { countReason, type ReasonCounts } from '../../sources/reasons.ts'
import { runSource, type Source } from '../../sources/source.ts'
import { toTimeMs } from '../../sources/time.ts'
import { toList } from '../run/status-line.ts'
import { type Check, failed, inTime, ok, skipped, warning } from './check.ts'

/** Long enough for a receiver that writes every second. */
const listenMs = 5_000
const maxPositions = 100
/** Receivers and networks are seconds late, at most. */
const currentMs = 60_000
const quarterMs = 15 * 60_000
const sourceAdvice = 'check the source, and the flag that names it'

/** @param isClockWrong Whether this machine's clock differs from the service's. */
export async function checkSources(
  sources: readonly Source[],
  isClockWrong = false,
  clock: Clock = systemClock,
): Promise<Check[]> {
  if (sources.length === 0) return [skipped('source', 'no source was given')]
  return Promise.all(
    sources.map((source) =>
      inTime(`source ${source.name}`, sourceAdvice, () => checkSource(source, isClockWrong, clock), clock),
    ),
  )
}

/** A source that only waits for others is started and stopped. */
async function checkSource(source: Source, isClockWrong: boolean, clock: Clock): Promise<Check> {
  const name = `source ${source.name}`
  const stop = new AbortController()
  let [positions, newestMs, state, unusable, agentTimes] = [0, Number.NEGATIVE_INFINITY, '', '', 0]
  const reasons: ReasonCounts = {}
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
  void clock.sleep(listenMs, stop.signal).then(() => stop.abort())
  try {
    await runSource(source, agent, {
      signal: stop.signal,
      clock,
      onState: (message) => (state = message),
      onUnusable(message, reason) {
        unusable = message
        countReason(reasons, reason)
      },
      onPartial: (part) => (agentTimes += part === 'time' ? 1 : 0),
    })
  } catch (error) {
    return failed(name, toReason(error), sourceAdvice)
  } finally {
    stop.abort()
  }
  if (positions > 0)
    return withInput(
      checkTime(name, positions, newestMs - clock.now(), isClockWrong),
      positions,
      reasons,
      unusable,
      agentTimes,
    )
  if (unusable !== '')
    return failed(
      name,
      unusable,
      'the input has another format, or nothing of it is usable; posrep-agent lint FILE says more about a sample of it',
    )
  if (/cannot be read|next try/.test(state)) return failed(name, state, 'check that the receiver runs, and its address')
  return warning(
    name,
    state === '' ? 'no position' : state,
    `no position in ${listenMs / 1_000} s; check the receiver and its antenna`,
  )
}

/** More than this share of unusable input is a warning. */
const fewUnusable = 0.02

/** Adds how much of the input could not be used, and whether the times are this machine's. */
function withInput(check: Check, positions: number, reasons: ReasonCounts, example: string, agentTimes: number): Check {
  const unusable = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  const share = unusable / (positions + unusable)
  const detail = [
    check.detail,
    ...(unusable > 0 ? [`${unusable} inputs (${(share * 100).toFixed(0)} %) are unusable: ${toList(reasons)}`] : []),
    ...(agentTimes > 0 ? [`${agentTimes} positions state no usable time and have this machine's`] : []),
  ].join('; ')
  if (check.result !== 'ok' || share <= fewUnusable) return { ...check, detail }
  return warning(check.name, detail, `for example: ${example}`)
}

/** @param aheadMs the newest position's time minus this machine's. */
export function checkTime(name: string, positions: number, aheadMs: number, isClockWrong = false): Check {
  const count = `${positions > maxPositions ? `more than ${maxPositions}` : positions} positions in ${listenMs / 1_000} s`
  if (Math.abs(aheadMs) <= currentMs) return ok(name, count)
  const detail = `${count}, but the newest is ${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'old'}`
  return warning(name, detail, isClockWrong ? "set this machine's clock first, see above" : toAdvice(aheadMs))
}

/** The offsets of time zones are whole quarters of an hour, up to 14 hours. */
function toAdvice(aheadMs: number): string {
  const isZone = Math.abs(aheadMs - Math.round(aheadMs / quarterMs) * quarterMs) <= currentMs
  if (isZone && Math.abs(aheadMs) <= 14 * 3_600_000 + currentMs)
    return 'this may be the offset of a time zone: give the one of the receiver with --time-zone, or set its clock'
  if (aheadMs > 0) return "set the receiver's clock (NTP)"
  return 'check that the receiver still runs and writes, and its clock; a recording is played with --replay'
}
