/**
 * Remembers what the running agent is doing, for the status line, the pages and the metrics.
 * In: the agent's events and counts. Out: one snapshot.
 */
import type { Agent, AgentStats } from '../../agent.ts'
import type { AgentError } from '../../errors.ts'
import { systemClock } from '../../ports.ts'
import type { FileSpool, FileSpoolMetrics } from '../../spool/files/file-spool.ts'

export interface Snapshot extends AgentStats {
  sensor: string
  startedAt: string
  uptimeSeconds: number
  residentBytes: number
  sources: { name: string; state: string }[]
  /** The alarms of this run, newest last, at most 10. */
  alarms: { code: string; message: string; at: string }[]
  disk: FileSpoolMetrics
  /** False while the spool fails: positions are then kept in memory only. */
  healthy: boolean
}

export interface Monitor {
  watch(agent: Agent, spool: FileSpool): void
  source(name: string, state: string): void
  /** True when the last alarm was another one. */
  alarm(error: AgentError): boolean
  /** True when the last failure was another one, so that an outage is told once. */
  isNewFailure(reason: string): boolean
  recovered(): void
  snapshot(): Snapshot
}

const spoolAlarms = ['spool_stuck', 'spool_unwritable']

export function createMonitor(sensor: string): Monitor {
  const startedAtMs = systemClock.now()
  const sources = new Map<string, string>()
  const alarms: Snapshot['alarms'] = []
  let lastFailure = ''
  let isSpoolFailing = false
  let read: (() => AgentStats & { disk: FileSpoolMetrics }) | undefined

  return {
    watch(agent, spool) {
      read = () => ({ ...agent.stats(), disk: spool.metrics() })
    },
    source: (name, state) => void sources.set(name, state),
    alarm({ code, message }) {
      if (spoolAlarms.includes(code)) isSpoolFailing = true
      if (alarms.at(-1)?.message === message) return false
      alarms.push({ code, message, at: new Date(systemClock.now()).toISOString() })
      if (alarms.length > 10) alarms.shift()
      return true
    },
    isNewFailure(reason) {
      const isNew = reason !== lastFailure
      lastFailure = reason
      return isNew
    },
    recovered() {
      lastFailure = ''
      isSpoolFailing = false
    },
    snapshot() {
      if (!read) throw new Error('snapshot() was called before watch()')
      return {
        sensor,
        startedAt: new Date(startedAtMs).toISOString(),
        uptimeSeconds: Math.round((systemClock.now() - startedAtMs) / 1_000),
        residentBytes: process.memoryUsage.rss(),
        sources: [...sources].map(([name, state]) => ({ name, state })),
        alarms: [...alarms],
        healthy: !isSpoolFailing,
        ...read(),
      }
    },
  }
}
