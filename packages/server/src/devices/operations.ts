/** The API operations on devices (specification, "Surveillance out"). */
import type { Device, DeviceList, RecentPositionReportList, SensorRequest, SensorRequestList } from '@posrep/spec'
import type { ReadingBudget } from '../concurrency/reading-budget.ts'
import { ApiError } from '../errors.ts'
import { JsonList, type Portions } from '../http/operation/json-list.ts'
import type { Handlers } from '../http/operation/operation.ts'
import { getReader, getUser } from '../http/operation/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, SensorRequest as SensorRequestRecord } from '../ports/storage/directory.ts'
import {
  type DeviceMetrics,
  minuteOf,
  type RecentBound,
  type RecentEntry,
  type RecentReports,
} from '../ports/storage/recent-reports.ts'
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

export function deviceOperations(options: DeviceOperationsOptions) {
  const { devices, recentReports, sensorRequests, history, endAttempts, revokeTokens, clock, budget } = options
  const { metricWindowMs, recentWindow } = options
  const windowStartMs = () => clock.now() - metricWindowMs

  async function toDeviceWithMetrics(record: DeviceRecord): Promise<Device> {
    const metrics = await recentReports.metrics([record.id], windowStartMs())
    return toDevice(record, await ownMetrics(record, metrics.get(record.id)))
  }

  /** Without the reports of an earlier device with this URN. Minutes are counted whole. */
  async function ownMetrics(record: DeviceRecord, found = noMetrics): Promise<DeviceMetrics> {
    const { createdAtMs } = record
    if (createdAtMs < windowStartMs()) return found
    const minute = minuteOf(createdAtMs)
    const isShared = found.minutes.length > 0 && (await devices.isOfFormerOwner(record, createdAtMs - 1))
    const { lastReceivedAtMs = 0 } = found
    return {
      minutes: found.minutes.filter(({ windowStart }) =>
        isShared ? Date.parse(windowStart) > minute : Date.parse(windowStart) >= minute,
      ),
      lastReceivedAtMs: lastReceivedAtMs >= createdAtMs ? found.lastReceivedAtMs : undefined,
    }
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
      yield await Promise.all(
        records.map(async (record) => toDevice(record, await ownMetrics(record, metrics.get(record.id)))),
      )
      left -= records.length
      last = urns.at(-1) ?? last
      if (records.length < size || left === 0) return {}
    }
  }

  async function* readRecent(
    { id: deviceUrn, createdAtMs }: DeviceRecord,
    { limit, after }: { limit?: number; after?: string },
  ): Portions<RecentPositionReportList> {
    const window = { sinceMs: Math.max(windowStartMs(), createdAtMs), ...recentWindow }
    const answer = limit === undefined ? undefined : { limit, maxBytes: maxAnswerBytes }
    const pages = readWindow({ recentReports, deviceUrn, window, answer, after })
    let page = await pages.next()
    for (; !page.done; page = await pages.next()) yield page.value.map(toRecentReport)
    const { truncated, next } = page.value
    return { ...(truncated && { truncated }), ...(next !== undefined && { next }) }
  }

  async function* readSensorRequests(accountId: string): Portions<SensorRequestList> {
    for await (const requests of sensorRequests.list(accountId)) yield requests.map(toSensorRequest)
    return {}
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
      const isUnknown = deviceName === undefined && tags === undefined && Object.keys(request.body).length > 0
      if (isUnknown) throw nothingToChange()
      const changed = await devices.change(id, (current) => ({
        ...current,
        ...(deviceName !== undefined && { name: deviceName }),
        ...(tags !== undefined && { tags: [...new Set(tags)] }),
      }))
      return { status: 200, body: await toDeviceWithMetrics(changed) }
    },
    async removeDevice(request) {
      const { id } = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      await devices.remove(id, () => revokeTokens(id), { releases: request.query.releaseLocalId === true })
      await endAttempts(id)
      return { status: 204 }
    },
    async getDeviceHistory(request) {
      const device = await devices.getOwned(request.path.deviceUrn, getUser(request).accountId)
      return { status: 200, body: await history.read(device) }
    },
    async listRecentReports(request) {
      const device = await devices.getOwned(request.path.deviceId, getUser(request).accountId)
      const portions = budget.inPortions(getReader(request), readRecent(device, request.query))
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
      const portions = budget.inPortions(getReader(request), readSensorRequests(accountId))
      return { status: 200, body: await JsonList.start<SensorRequestList>(portions) }
    },
    async createSensorRequests(request) {
      const { accountId, userId } = getUser(request)
      // It reads all sensors of the account.
      const create = () => sensorRequests.create({ accountId, userId }, request.body.sensors)
      const created = await budget.during(getReader(request), create)
      return { status: 201, body: { data: created.map(toSensorRequest) } }
    },
  } satisfies Partial<Handlers>
}

/**
 * Returns JSON text: the report as submitted, with two more members. The report is not parsed, which would block the
 * process for long. It was validated when it was accepted, so it is an object that is not empty. Of members with the
 * same name the last one counts, so a submitted `tags` changes nothing.
 */
function toRecentReport({ receivedAtMs, report, tags }: RecentEntry): string {
  const own = { receivedTimeStamp: new Date(receivedAtMs).toISOString(), tags }
  return `${report.slice(0, report.lastIndexOf('}'))},${JSON.stringify(own).slice(1)}`
}

/** A misspelt member would otherwise look as if it had been changed. */
function nothingToChange(): ApiError {
  const detail = 'must have "deviceName" or "tags"'
  return new ApiError('invalid_body', `The body ${detail}`, { errors: [{ pointer: '', code: 'required', detail }] })
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
