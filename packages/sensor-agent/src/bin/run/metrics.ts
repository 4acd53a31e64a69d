/** The agent's counts in Prometheus' text format. In: a snapshot. Out: text; no label, so nothing needs escaping. */
import type { Snapshot } from './monitor.ts'

type Metric = [name: string, type: 'counter' | 'gauge', help: string, value: number | undefined]

export function toMetrics(snapshot: Snapshot): string {
  const { disk, clockOffset, online } = snapshot
  const metrics: Metric[] = [
    ['positions_reported_total', 'counter', 'Positions that the sources reported', snapshot.reported],
    ['positions_accepted_total', 'counter', 'Positions that the service accepted', snapshot.accepted],
    ['positions_refused_total', 'counter', 'Positions that the service refused', snapshot.refused],
    ['positions_dropped_total', 'counter', 'Positions dropped because the spool was full', snapshot.dropped],
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
    ['uptime_seconds', 'gauge', 'Time since the start', snapshot.uptimeSeconds],
    ['resident_memory_bytes', 'gauge', 'Resident memory', snapshot.residentBytes],
  ]
  return metrics
    .filter(([, , , value]) => value !== undefined)
    .map(([name, type, help, value]) => {
      const full = `posrep_agent_${name}`
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`
    })
    .join('')
}
