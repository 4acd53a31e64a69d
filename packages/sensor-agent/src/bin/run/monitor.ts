/**
 * Remembers what the running agent is doing, for the status line, the pages and the metrics.
 * In: the agent's events and counts. Out: one snapshot.
 */
import type { Agent, AgentStats } from '../../agent-interface.ts'
import { systemClock } from '../../ports.ts'
import type { FileSpool, FileSpoolMetrics } from '../../spool/files/file-spool.ts'

export interface Snapshot extends AgentStats {
  sensor: string
  pid: number
  startedAt: string
  uptimeSeconds: number
  residentBytes: number
  sources: { name: string; state: string }[]
  /** What needs a person now, newest last, at most 10. */
  alarms: { code: string; message: string; at: string }[]
  disk: FileSpoolMetrics
  /** False while the spool fails: positions are then kept in memory only. */
  healthy: boolean
}

export interface Monitor {
  watch(agent: Agent, spool: FileSpool): void
  source(name: string, state: string): void
  /** False for a repetition of the last alarm. An alarm of the spool's disk is no repetition: it comes once for each failure. */
  alarm(error: { code: string; message: string }): boolean
  /** True when the last failure was another one and no alarm tells it, so that it is told once. */
  isNewFailure(reason: string): boolean
  /** The service has accepted positions: alarms about the way to it have ended. */
  recovered(): void
  snapshot(): Snapshot
}

/** Alarms of the spool's disk; they last while it fails. */
const diskAlarms = ['spool_in_use', 'spool_unwritable']
/** Alarms that say nothing about the way to the service. */
const lastingAlarms = ['clock_wrong', ...diskAlarms]

export function createMonitor(sensor: string): Monitor {
  const startedAtMs = systemClock.now()
  const sources = new Map<string, string>()
  let alarms: Snapshot['alarms'] = []
  let lastFailure = ''
  let isSpoolStuck = false
  let read: (() => AgentStats & { disk: FileSpoolMetrics }) | undefined

  return {
    watch(agent, spool) {
      read = () => ({ ...agent.stats(), disk: spool.metrics() })
    },
    source: (name, state) => void sources.set(name, state),
    alarm({ code, message }) {
      if (code === 'spool_stuck') isSpoolStuck = true
      if (diskAlarms.includes(code)) endDiskAlarms()
      else if (alarms.at(-1)?.message === message) return false
      alarms.push({ code, message, at: new Date(systemClock.now()).toISOString() })
      if (alarms.length > 10) alarms.shift()
      return true
    },
    isNewFailure(reason) {
      const isNew = reason !== lastFailure && !alarms.some(({ message }) => message.includes(reason))
      lastFailure = reason
      return isNew
    },
    recovered() {
      lastFailure = ''
      isSpoolStuck = false
      alarms = alarms.filter(({ code }) => lastingAlarms.includes(code))
    },
    snapshot() {
      if (!read) throw new Error('snapshot() was called before watch()')
      const counts = read()
      if (!counts.disk.failing) endDiskAlarms()
      if (!counts.clockWrong) alarms = alarms.filter(({ code }) => code !== 'clock_wrong')
      return {
        sensor,
        pid: process.pid,
        startedAt: new Date(startedAtMs).toISOString(),
        uptimeSeconds: Math.round((systemClock.now() - startedAtMs) / 1_000),
        residentBytes: process.memoryUsage.rss(),
        sources: [...sources].map(([name, state]) => ({ name, state })),
        alarms: [...alarms],
        healthy: !isSpoolStuck && !counts.disk.failing,
        ...counts,
      }
    },
  }

  function endDiskAlarms(): void {
    alarms = alarms.filter(({ code }) => !diskAlarms.includes(code))
  }
}
