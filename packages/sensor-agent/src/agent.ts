/**
 * Reports a sensor's positions to the service.
 * In: positions. Out: reports that the service has accepted, in order, each position at least once.
 * A position leaves the spool only when the service accepts it, when the service refuses it permanently, or when the
 * spool is full and needs room. Each case is counted and has a callback.
 */
import type { SensorState } from '@posrep/spec'
import { vSensorState } from '@posrep/spec/validators'
import { getDotPath, safeParse } from 'valibot'
import type { Agent, AgentOptions, AgentStats, CloseOptions } from './agent-interface.ts'
import { checkNumber, checkOrigin, checkWholeNumber } from './check-option.ts'
import { createCorrectedTime } from './delivery/corrected-time.ts'
import { createCourier } from './delivery/courier.ts'
import { createSendBatch } from './delivery/send-batch.ts'
import { createServiceClock } from './delivery/service-clock.ts'
import { AgentError, toReason } from './errors.ts'
import { systemFetch } from './network/system-fetch.ts'
import { systemClock, systemRandom } from './ports.ts'
import { checkPositionJson, toPositionJson } from './positions.ts'
import { createAlarmPrinter } from './print-alarm.ts'
import { memorySpool } from './spool/memory-spool.ts'
import type { DropReasons } from './spool/spool.ts'

/**
 * @throws RangeError or TypeError for a wrong option.
 *
 * @example
 * ```ts
 * import { clientCredentials, createAgent } from '@posrep/sensor-agent'
 *
 * const origin = new URL('https://localhost:8443')
 * const agent = createAgent({
 *   ingestOrigin: origin,
 *   sensor: 'roof1',
 *   tokens: clientCredentials({ authOrigin: origin, clientId: 'fleet', clientSecret: 's3cret', localId: 'roof1' }),
 * })
 * await agent.report({
 *   id: '461f9c-1',
 *   sourceTimeStamp: new Date().toISOString(),
 *   target: { type: 'aa:target:aircraft', ids: [{ id: '461F9C', type: 'ICAO' }] },
 *   position: { lat: 60.3172, lon: 24.9633 },
 * })
 * await agent.close()
 * ```
 */
export function createAgent({
  ingestOrigin,
  sensor,
  tokens,
  spool = memorySpool(),
  batchSize = 100,
  batchBytes = 512 * 1_024,
  maxDelayMs = 1_000,
  deadlineMs = 10_000,
  backlogAfterMs = 10_000,
  backlogPerSecond = 500,
  gzipFromBytes = 1_400,
  onOutcome,
  onRefused,
  onDropped,
  clock = systemClock,
  onAlarm = createAlarmPrinter(clock),
  correctClock = false,
  fetch = systemFetch,
  random = systemRandom,
}: AgentOptions): Agent {
  checkOrigin('ingestOrigin', ingestOrigin)
  checkWholeNumber('batchSize', batchSize, 1, 1_000)
  checkWholeNumber('batchBytes', batchBytes, 1_024, 1_048_576)
  checkNumber('maxDelayMs', maxDelayMs, 0)
  checkNumber('deadlineMs', deadlineMs, 1)
  checkNumber('backlogAfterMs', backlogAfterMs, 0)
  checkNumber('backlogPerSecond', backlogPerSecond, 1)
  checkNumber('gzipFromBytes', gzipFromBytes, 0)
  const state = checkSensor(typeof sensor === 'string' ? { id: sensor } : sensor)

  const stop = new AbortController()
  const serviceClock = createServiceClock({ clock, corrects: correctClock, onAlarm: (error) => notify(onAlarm, error) })
  const sendBatch = createSendBatch({
    ingestOrigin,
    sensor: state,
    tokens,
    clock,
    fetch,
    deadlineMs,
    gzipFromBytes,
    onDate: serviceClock.observe,
    signal: stop.signal,
  })
  const courier = createCourier({
    spool,
    sendBatch,
    toTexts: correctClock
      ? createCorrectedTime({
          clock,
          correctionMs: serviceClock.correctionMs,
          isKnown: () => serviceClock.offset() !== undefined,
          // A report without positions stores nothing, and its answer has the time.
          ask: () => sendBatch([]),
        })
      : async (batch) => batch.map(({ json }) => json),
    batchSize,
    batchBytes: Math.max(1, batchBytes - sendBatch.envelopeBytes),
    maxDelayMs,
    backlogAfterMs,
    backlogPerSecond,
    clock,
    random,
    onOutcome: (outcome) => notify(onOutcome, outcome),
    onAlarm: (error) => notify(onAlarm, error),
    onRefused: (refused) => onRefused?.(refused),
    signal: stop.signal,
  })
  const droppedBefore = spool.counters().dropped
  const dropReasons: DropReasons = { full: 0, tooOld: 0, diskFailing: 0 }
  let reported = 0
  let closing: Promise<AgentStats> | undefined

  return {
    async report(positions) {
      await append(toList(positions).map((position, index) => toPositionJson(position, `positions[${index}]`)))
    },
    async reportJson(positions) {
      await append(toList(positions).map((json, index) => checkPositionJson(json, `positions[${index}]`)))
    },
    flush: courier.flush,
    close(options) {
      closing ??= close(options)
      return closing
    },
    stats,
    serviceTime: () => clock.now() + (serviceClock.offset()?.offsetMs ?? 0),
    clockCorrectionMs: serviceClock.correctionMs,
  }

  async function append(positions: readonly string[]): Promise<void> {
    if (closing) throw new AgentError('agent_closed', 'The agent is closed; no position was stored')
    if (positions.length === 0) return
    const nowMs = clock.now() + serviceClock.correctionMs()
    const { dropped, reasons = { full: dropped, tooOld: 0, diskFailing: 0 } } = await spool.append(
      positions,
      nowMs,
      clock.elapsed(),
    )
    reported += positions.length
    courier.appended()
    if (dropped === 0) return
    dropReasons.full += reasons.full
    dropReasons.tooOld += reasons.tooOld
    dropReasons.diskFailing += reasons.diskFailing
    notify((positions) => onDropped?.(positions, reasons), dropped)
  }

  async function close({ drain = true, drainMs = 10_000 }: CloseOptions = {}): Promise<AgentStats> {
    if (drain) {
      const drained = new AbortController()
      courier.skipBackoff()
      await Promise.race([courier.flush(), clock.sleep(drainMs, drained.signal)])
      drained.abort()
    }
    const { entries } = spool.counters()
    stop.abort(new AgentError('agent_closed', `The agent was closed; ${entries} positions stay in the spool`))
    await courier.ended
    try {
      await spool.close?.()
    } catch (cause) {
      const alarm = new AgentError('spool_unwritable', `The spool cannot be closed: ${toReason(cause)}`, { cause })
      notify(onAlarm, cause instanceof AgentError ? cause : alarm)
    }
    return stats()
  }

  function stats(): AgentStats {
    const { entries: spooled, bytes: spooledBytes, dropped } = spool.counters()
    return {
      reported,
      dropped: dropped - droppedBefore,
      dropReasons: { ...dropReasons },
      spooled,
      spooledBytes,
      ...courier.counters(),
      bytesSent: sendBatch.bytesSent(),
      clockOffset: serviceClock.offset(),
      clockWrong: serviceClock.isWrong(),
      clockSetBackMs: clock.setBackMs(),
    }
  }
}

function checkSensor(sensor: SensorState): SensorState {
  const { issues } = safeParse(vSensorState, sensor, { abortEarly: true })
  if (!issues) return sensor
  const [issue] = issues
  throw new TypeError(
    `"sensor${issue ? `.${getDotPath(issue) ?? ''}` : ''}" does not match the document: ${issue.message}`,
  )
}

function toList<T>(value: T | readonly T[]): readonly T[] {
  // Array.isArray does not narrow readonly arrays.
  return Array.isArray(value) ? value : [value as T]
}

/** An error in the callback becomes an uncaught exception; it does not stop the courier. */
function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  if (listener) queueMicrotask(() => listener(value))
}
