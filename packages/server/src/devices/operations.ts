/** The HTTP face of devices (specification, "Surveillance out"). */
import type { RecentPositionReport } from '@posrep/spec'
import type { Handlers } from '../http/operation.ts'
import { getUser } from '../http/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { RecentEntry, RecentReports } from '../ports/recent-reports.ts'
import { toDevice } from './device.ts'
import type { DeviceRegistry } from './registry.ts'

export interface DeviceOperationsOptions {
  devices: DeviceRegistry
  recentReports: RecentReports
  clock: Clock
  metricWindowMs: number
  /** Most entries of `recent`. */
  recentLimit: number
}

type DeviceOperations = Pick<
  Handlers,
  'listDevices' | 'getDevice' | 'listRecentReports' | 'toggleStoringPositionReports'
>

export function deviceOperations(options: DeviceOperationsOptions): DeviceOperations {
  const { devices, recentReports, clock, metricWindowMs, recentLimit } = options
  const windowStartMs = () => clock.now() - metricWindowMs

  return {
    async listDevices(request) {
      const { limit, after } = request.query
      const page = { ...(limit !== undefined && { limit }), ...(after !== undefined && { after }) }
      const records = await devices.list(getUser(request).accountId, page)
      const metrics = await recentReports.metrics(
        records.map(({ id }) => id),
        windowStartMs(),
      )
      return { status: 200, body: { data: records.map((record) => toDevice(record, metrics.get(record.id) ?? [])) } }
    },
    async getDevice(request) {
      const record = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      const metrics = await recentReports.metrics([record.id], windowStartMs())
      return { status: 200, body: toDevice(record, metrics.get(record.id) ?? []) }
    },
    async listRecentReports(request) {
      const { id } = await devices.getOwned(request.path.deviceId, getUser(request).accountId)
      const limit = Math.min(request.query.limit ?? recentLimit, recentLimit)
      const { entries, truncated } = await recentReports.list(id, { sinceMs: windowStartMs(), limit })
      return { status: 200, body: { data: entries.map(toRecentReport), ...(truncated && { truncated }) } }
    },
    async toggleStoringPositionReports(request) {
      const { id } = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      const changed = await devices.change(id, (current) => ({
        ...current,
        storePositionReports: !current.storePositionReports,
      }))
      return { status: 200, body: changed.storePositionReports }
    },
  }
}

function toRecentReport({ receivedAtMs, report, tags }: RecentEntry): RecentPositionReport {
  // The text of a report that was validated when it was accepted.
  return {
    receivedTimeStamp: new Date(receivedAtMs).toISOString(),
    ...(JSON.parse(report) as Pick<RecentPositionReport, 'sensor' | 'positions'>),
    tags,
  }
}
