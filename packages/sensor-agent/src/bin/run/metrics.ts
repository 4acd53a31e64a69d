/**
 * The agent's counts in Prometheus' text format. In: a snapshot. Out: text; labels are from fixed lists, so nothing
 * needs escaping.
 */
import type { Snapshot } from './monitor.ts'

type Metric = [name: string, type: 'counter' | 'gauge', help: string, value: number | undefined]

export function toMetrics(snapshot: Snapshot): string {
  const { disk, clockOffset, online } = snapshot
  const metrics: Metric[] = [
    ['positions_reported_total', 'counter', 'Positions that the sources reported', snapshot.reported],
    ['positions_accepted_total', 'counter', 'Positions that the service accepted', snapshot.accepted],
    ['positions_refused_total', 'counter', 'Positions that the service refused', snapshot.refused],
    ['positions_dropped_total', 'counter', 'Positions that the spool dropped', snapshot.dropped],
    [
      'positions_dropped_too_old_total',
      'counter',
      'Of the dropped positions, those that had waited for more than 7 days',
      snapshot.dropReasons.tooOld,
    ],
    [
      'positions_dropped_disk_failing_total',
      'counter',
      'Of the dropped positions, those for which neither disk nor memory had room',
      snapshot.dropReasons.diskFailing,
    ],
    ['spool_positions', 'gauge', 'Positions that wait', snapshot.spooled],
    ['spool_backlog_positions', 'gauge', 'Positions that wait since an outage', snapshot.backlog],
    ['spool_bytes', 'gauge', 'Bytes of the positions that wait', snapshot.spooledBytes],
    ['spool_disk_bytes', 'gauge', 'Bytes of the spool files', disk.diskBytes],
    ['spool_written_bytes_total', 'counter', 'Bytes written to the disk', disk.bytesWritten],
    ['spool_syncs_total', 'counter', 'Calls of fsync', disk.syncs],
    ['requests_total', 'counter', 'Requests', snapshot.requests],
    ['request_retries_total', 'counter', 'Requests that ended in a retry', snapshot.retries],
    ['request_bytes_total', 'counter', 'Bytes of the request bodies', snapshot.bytesSent],
    ['online', 'gauge', '1 if the last attempt reached the service', online === undefined ? undefined : Number(online)],
    ['healthy', 'gauge', '0 while the spool fails', Number(snapshot.healthy)],
    [
      'clock_offset_seconds',
      'gauge',
      "The service's clock minus this machine's",
      clockOffset && clockOffset.offsetMs / 1_000,
    ],
    [
      'clock_set_back_seconds',
      'gauge',
      "How far this machine's clock was set back and the agent follows slowly",
      snapshot.clockSetBackMs / 1_000,
    ],
    ['uptime_seconds', 'gauge', 'Time since the start', snapshot.uptimeSeconds],
    ['resident_memory_bytes', 'gauge', 'Resident memory', snapshot.residentBytes],
  ]
  const simple = metrics
    .filter(([, , , value]) => value !== undefined)
    .map(([name, type, help, value]) => {
      const full = `posrep_agent_${name}`
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`
    })
    .join('')
  return (
    simple +
    toFamily(
      'inputs_unusable_total',
      'reason',
      'Inputs of the sources that gave no position',
      sumOf(snapshot, 'reasons'),
    ) +
    toFamily(
      'positions_partial_total',
      'part',
      'Positions without a part that could not be read',
      sumOf(snapshot, 'partial'),
    )
  )
}

function sumOf({ sources }: Snapshot, member: 'reasons' | 'partial'): Map<string, number> {
  const sums = new Map<string, number>()
  for (const source of sources)
    for (const [name, count] of Object.entries(source[member])) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

function toFamily(name: string, label: string, help: string, counts: Map<string, number>): string {
  const full = `posrep_agent_${name}`
  const lines = [...counts].map(([value, count]) => `${full}{${label}="${value}"} ${count}\n`)
  return `# HELP ${full} ${help}\n# TYPE ${full} counter\n${lines.join('')}`
}
