/** The API operations on devices (specification, "Surveillance out"). */
import type { Device, DeviceList, RecentPositionReportList, SensorRequest } from '@posrep/spec'
import type { ReadingBudget } from '../concurrency/reading-budget.ts'
import { JsonList, type Portions } from '../http/operation/json-list.ts'
import type { Handlers } from '../http/operation/operation.ts'
import { getReader, getUser } from '../http/operation/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, SensorRequest as SensorRequestRecord } from '../ports/storage/directory.ts'
import type { DeviceMetrics, RecentBound, RecentEntry, RecentReports } from '../ports/storage/recent-reports.ts'
import { toDevice } from './device.ts'
import type { DeviceHistories } from './device-history.ts'
import { readWindow } from './recent-window.ts'
import type { DeviceRegistry } from './registry.ts'
import type { SensorRequests } from './sensor-requests.ts'

export interface DeviceOperationsOptions {
  devices: DeviceRegistry
  recentReports: RecentReports
  sensorRequests: SensorRequests
  history: Pick<DeviceHistories, 'read'>
  /** Aborts the attempts in flight to the device's relay, in every process. */
  endAttempts(urn: string): Promise<void>
  /** Revokes every token of the device, from the client credentials grant and from pairing. */
  revokeTokens(urn: string): Promise<void>
  clock: Clock
  metricWindowMs: number
  /** Maximum number of reports of `recent`, and their maximum size. */
  recentWindow: Omit<RecentBound, 'sinceMs' | 'maxBytesOfClient'>
  budget: ReadingBudget
}

/** Devices per call of the store. With their metrics, they take up to a MiB. */
const pageDevices = 200
/** A list of reports with `limit` ends when it has reached this size. */
const maxAnswerBytes = 8 * 1024 * 1024

const noMetrics: DeviceMetrics = { minutes: [], lastReceivedAtMs: undefined }

type DeviceOperations = Pick<
  Handlers,
  | 'listDevices'
  | 'getDevice'
  | 'changeDevice'
  | 'removeDevice'
  | 'getDeviceHistory'
  | 'listRecentReports'
  | 'toggleStoringPositionReports'
  | 'revokeDeviceTokens'
  | 'listSensorRequests'
  | 'createSensorRequests'
>

export function deviceOperations(options: DeviceOperationsOptions): DeviceOperations {
  const { devices, recentReports, sensorRequests, history, endAttempts, revokeTokens, clock, budget } = options
  const { metricWindowMs, recentWindow } = options
  const windowStartMs = () => clock.now() - metricWindowMs

  async function toDeviceWithMetrics(record: DeviceRecord): Promise<Device> {
    const metrics = await recentReports.metrics([record.id], windowStartMs())
    return toDevice(record, metrics.get(record.id) ?? noMetrics)
  }

  async function* readDevices(
    accountId: string,
    { limit = Number.POSITIVE_INFINITY, after = '' }: { limit?: number; after?: string },
  ): Portions<DeviceList> {
    for (let left = limit, last = after; ; ) {
      const size = Math.min(left, pageDevices)
      const records = await devices.list(accountId, { limit: size, after: last })
      const urns = records.map(({ id }) => id)
      const metrics = await recentReports.metrics(urns, windowStartMs())
      yield records.map((record) => JSON.stringify(toDevice(record, metrics.get(record.id) ?? noMetrics)))
      left -= records.length
      last = urns.at(-1) ?? last
      if (records.length < size || left === 0) return {}
    }
  }

  async function* readRecent(
    deviceUrn: string,
    { limit, after }: { limit?: number; after?: string },
  ): Portions<RecentPositionReportList> {
    const window = { sinceMs: windowStartMs(), ...recentWindow }
    const answer = limit === undefined ? undefined : { limit, maxBytes: maxAnswerBytes }
    const pages = readWindow({ recentReports, deviceUrn, window, answer, after })
    let page = await pages.next()
    for (; !page.done; page = await pages.next()) yield page.value.map(toRecentReport)
    const { truncated, next } = page.value
    return { ...(truncated && { truncated }), ...(next !== undefined && { next }) }
  }

  return {
    async listDevices(request) {
      const portions = readDevices(getUser(request).accountId, request.query)
      return { status: 200, body: await JsonList.start<DeviceList>(budget.inPortions(getReader(request), portions)) }
    },
    async getDevice(request) {
      const record = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      return { status: 200, body: await toDeviceWithMetrics(record) }
    },
    async changeDevice(request) {
      const { id } = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      const { deviceName, tags } = request.body
      const changed = await devices.change(id, (current) => ({
        ...current,
        ...(deviceName !== undefined && { name: deviceName }),
        ...(tags !== undefined && { tags: [...new Set(tags)] }),
      }))
      return { status: 200, body: await toDeviceWithMetrics(changed) }
    },
    async removeDevice(request) {
      const { id } = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      await devices.remove(id, () => revokeTokens(id))
      await endAttempts(id)
      return { status: 204 }
    },
    async getDeviceHistory(request) {
      const device = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      return { status: 200, body: await history.read(device) }
    },
    async listRecentReports(request) {
      const { id } = await devices.getOwned(request.path.deviceId, getUser(request).accountId)
      const portions = budget.inPortions(getReader(request), readRecent(id, request.query))
      return { status: 200, body: await JsonList.start<RecentPositionReportList>(portions) }
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
      const { accountId } = getUser(request)
      const requests = await budget.during(getReader(request), () => sensorRequests.list(accountId))
      return { status: 200, body: { data: requests.map(toSensorRequest) } }
    },
    async createSensorRequests(request) {
      const { accountId, userId } = getUser(request)
      // It reads all sensors of the account.
      const create = () => sensorRequests.create({ accountId, userId }, request.body.sensors)
      const created = await budget.during(getReader(request), create)
      return { status: 201, body: { data: created.map(toSensorRequest) } }
    },
  }
}

/**
 * Returns JSON text: the report as submitted, with two more members. The report is not parsed, which would block the process
 * for long. It was validated when it was accepted, so it is an object that is not empty. Of members with the same name the last
 * one counts, so a submitted `tags` changes nothing.
 */
function toRecentReport({ receivedAtMs, report, tags }: RecentEntry): string {
  const own = { receivedTimeStamp: new Date(receivedAtMs).toISOString(), tags }
  return `${report.slice(0, report.lastIndexOf('}'))},${JSON.stringify(own).slice(1)}`
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
