/** The API operations on devices (specification, "Surveillance out"). */
import type { Device, RecentPositionReport, SensorRequest } from '@posrep/spec'
import type { Handlers } from '../http/operation/operation.ts'
import { getUser } from '../http/operation/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, SensorRequest as SensorRequestRecord } from '../ports/storage/directory.ts'
import type { RecentEntry, RecentReports } from '../ports/storage/recent-reports.ts'
import { toDevice } from './device.ts'
import type { DeviceRegistry } from './registry.ts'
import type { SensorRequests } from './sensor-requests.ts'

export interface DeviceOperationsOptions {
  devices: DeviceRegistry
  recentReports: RecentReports
  sensorRequests: SensorRequests
  /** Revokes every token of the device, from the client credentials grant and from pairing. */
  revokeTokens(urn: string): Promise<void>
  clock: Clock
  metricWindowMs: number
  /** Maximum number of entries of `recent`. */
  recentLimit: number
}

type DeviceOperations = Pick<
  Handlers,
  | 'listDevices'
  | 'getDevice'
  | 'renameDevice'
  | 'listRecentReports'
  | 'toggleStoringPositionReports'
  | 'revokeDeviceTokens'
  | 'listSensorRequests'
  | 'createSensorRequests'
>

export function deviceOperations(options: DeviceOperationsOptions): DeviceOperations {
  const { devices, recentReports, sensorRequests, revokeTokens, clock, metricWindowMs, recentLimit } = options
  const windowStartMs = () => clock.now() - metricWindowMs

  async function toDeviceWithMetrics(record: DeviceRecord): Promise<Device> {
    const metrics = await recentReports.metrics([record.id], windowStartMs())
    return toDevice(record, metrics.get(record.id) ?? [])
  }

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
      return { status: 200, body: await toDeviceWithMetrics(record) }
    },
    async renameDevice(request) {
      const { id } = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      const name = request.body.deviceName
      const changed = await devices.change(id, (current) => ({ ...current, name }))
      return { status: 200, body: await toDeviceWithMetrics(changed) }
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
    async revokeDeviceTokens(request) {
      const { id } = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      await revokeTokens(id)
      return { status: 204 }
    },
    async listSensorRequests(request) {
      const requests = await sensorRequests.list(getUser(request).accountId)
      return { status: 200, body: { data: requests.map(toSensorRequest) } }
    },
    async createSensorRequests(request) {
      const { accountId, userId } = getUser(request)
      const created = await sensorRequests.create({ accountId, userId }, request.body.sensors)
      return { status: 201, body: { data: created.map(toSensorRequest) } }
    },
  }
}

function toRecentReport({ receivedAtMs, report, tags }: RecentEntry): RecentPositionReport {
  // The report was validated when it was accepted.
  return {
    receivedTimeStamp: new Date(receivedAtMs).toISOString(),
    ...(JSON.parse(report) as Pick<RecentPositionReport, 'sensor' | 'positions'>),
    tags,
  }
}

function toSensorRequest({ id, localId, name, clientId, requestedAtMs, state }: SensorRequestRecord): SensorRequest {
  return {
    id,
    clientUniqueId: localId,
    name,
    clientId,
    requestedAt: new Date(requestedAtMs).toISOString(),
    state,
  }
}
