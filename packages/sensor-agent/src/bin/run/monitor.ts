/**
 * Remembers what the running agent is doing, for the status line, the pages and the metrics.
 * In: the agent's events and counts. Out: one snapshot.
 */
import type { Agent, AgentStats } from '../../agent-interface.ts'
import { systemClock } from '../../ports.ts'
import { countReason, type ReasonCounts, type UnusableReason } from '../../sources/reasons.ts'
import type { FileSpool, FileSpoolMetrics } from '../../spool/files/file-spool.ts'

export interface Snapshot extends AgentStats {
  sensor: string
  pid: number
  startedAt: string
  uptimeSeconds: number
  residentBytes: number
  sources: SourceStatus[]
  /** What needs a person now, newest last, at most 10. */
  alarms: { code: string; message: string; at: string }[]
  disk: FileSpoolMetrics
  /** False while the spool fails: positions are then kept in memory only. */
  healthy: boolean
}

/** What a source is doing, and what became of its input since the start. */
export interface SourceStatus {
  name: string
  state: string
  positions: number
  /** Inputs that gave no position, and how many of them for which reason. */
  unusable: number
  reasons: ReasonCounts
  /** Positions without a part that could not be read, by part. `time`: they have the time of this machine. */
  partial: Record<string, number>
}

export interface Monitor {
  watch(agent: Agent, spool: FileSpool): void
  source(name: string, state: string): void
  stored(source: string, positions: number): void
  unusable(source: string, reason: UnusableReason): void
  partial(source: string, part: string): void
  /**
   * False for a repetition of the last alarm. An alarm of the spool's disk is no repetition: it comes once for each
   * failure.
   */
  alarm(error: { code: string; message: string }): boolean
  /** Why a sensor that waits for Pair cannot be paired; undefined when the service answers, so that it can. */
  unpairable(message: string | undefined): void
  /** The sensor was paired: alarms about that have ended. */
  paired(): void
  /** True when the last failure was another one and no alarm tells it, so that it is told once. */
  isNewFailure(reason: string): boolean
  /**
   * The service has accepted positions: alarms about the way to it have ended. True when attempts had failed before, so
   * that the recovery is told.
   */
  recovered(): boolean
  snapshot(): Snapshot
}

/** Alarms of the spool's disk; they last while it fails. */
const diskAlarms = ['spool_in_use', 'spool_unwritable']
/** Alarms that say nothing about the way to the service. */
const lastingAlarms = ['clock_wrong', ...diskAlarms]
/** Alarms of a sensor that waits for Pair. */
const pairingAlarms = ['not_paired', 'unpairable', 'pairing_denied']

export function createMonitor(sensor: string): Monitor {
  const startedMs = systemClock.elapsed()
  const sources = new Map<string, SourceStatus>()
  /** `sinceMs`: by `Clock.elapsed()`, because the clock may be set. */
  let alarms: { code: string; message: string; sinceMs: number }[] = []
  let lastFailure = ''
  let isSpoolStuck = false
  let read: (() => AgentStats & { disk: FileSpoolMetrics }) | undefined

  return {
    watch(agent, spool) {
      read = () => ({ ...agent.stats(), disk: spool.metrics() })
    },
    source(name, state) {
      toSource(name).state = state
    },
    stored(name, positions) {
      toSource(name).positions += positions
    },
    unusable(name, reason) {
      const source = toSource(name)
      source.unusable += 1
      countReason(source.reasons, reason)
    },
    partial(name, part) {
      const { partial } = toSource(name)
      partial[part] = (partial[part] ?? 0) + 1
    },
    alarm({ code, message }) {
      if (code === 'spool_stuck') isSpoolStuck = true
      if (diskAlarms.includes(code)) endDiskAlarms()
      else if (alarms.at(-1)?.message === message) return false
      alarms.push({ code, message, sinceMs: systemClock.elapsed() })
      if (alarms.length > 10) alarms.shift()
      return true
    },
    unpairable(message) {
      if (message !== undefined && alarms.some((alarm) => alarm.message === message)) return
      alarms = alarms.filter(({ code }) => code !== 'unpairable')
      if (message !== undefined) alarms.push({ code: 'unpairable', message, sinceMs: systemClock.elapsed() })
    },
    paired() {
      alarms = alarms.filter(({ code }) => !pairingAlarms.includes(code))
    },
    isNewFailure(reason) {
      const isNew = reason !== lastFailure && !alarms.some(({ message }) => message.includes(reason))
      lastFailure = reason
      return isNew
    },
    recovered() {
      const hadFailed = lastFailure !== ''
      lastFailure = ''
      isSpoolStuck = false
      alarms = alarms.filter(({ code }) => lastingAlarms.includes(code))
      return hadFailed
    },
    snapshot() {
      if (!read) throw new Error('snapshot() was called before watch()')
      const counts = read()
      if (!counts.disk.failing) endDiskAlarms()
      if (!counts.clockWrong) alarms = alarms.filter(({ code }) => code !== 'clock_wrong')
      return {
        sensor,
        pid: process.pid,
        startedAt: toTime(startedMs),
        uptimeSeconds: Math.round((systemClock.elapsed() - startedMs) / 1_000),
        residentBytes: process.memoryUsage.rss(),
        sources: [...sources.values()].map((source) => structuredClone(source)),
        alarms: alarms.map(({ sinceMs, ...alarm }) => ({ ...alarm, at: toTime(sinceMs) })),
        healthy: !isSpoolStuck && !counts.disk.failing,
        ...counts,
      }
    },
  }

  function toSource(name: string): SourceStatus {
    const source = sources.get(name) ?? { name, state: '', positions: 0, unusable: 0, reasons: {}, partial: {} }
    sources.set(name, source)
    return source
  }

  function toTime(elapsedMs: number): string {
    return new Date(systemClock.now() - systemClock.elapsed() + elapsedMs).toISOString()
  }

  function endDiskAlarms(): void {
    alarms = alarms.filter(({ code }) => !diskAlarms.includes(code))
  }
}
