/**
 * Lists as async iterators: `for await (const device of eachDevice(posrep))`. Each list is requested in pages.
 * In: a client. Out: the items one by one, in the order of the list. The iteration rejects as the call of the list
 * does.
 */
import type { AirTrack, Delivery, Device, RecentPositionReport } from '@posrep/spec'
import type { AirCalls, ListAirTracksOptions } from './air/air-calls.ts'
import type { CallOptions } from './calls/call-options.ts'
import type { Client } from './calls/client.ts'
import { checkNoOthers } from './origins.ts'

export interface EachOptions extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  /** Items per request. Default 100. */
  pageSize?: number
}

/** Each device of the account, sorted by ID. */
export function eachDevice(
  client: Pick<Client, 'listDevices'>,
  options?: EachOptions,
): AsyncGenerator<Device, void, void> {
  return each('eachDevice', options, async (page) => {
    const { data } = await client.listDevices(page)
    return { data, next: data.length === page.limit ? data.at(-1)?.deviceId : undefined }
  })
}

/** Each report of the current metric window, newest first. */
export function eachRecentReport(
  client: Pick<Client, 'listRecentReports'>,
  deviceUrn: string,
  options?: EachOptions,
): AsyncGenerator<RecentPositionReport, void, void> {
  return each('eachRecentReport', options, (page) => client.listRecentReports(deviceUrn, page))
}

export interface EachDeliveryOptions extends EachOptions {
  /** Only deliveries in this state: `pending` or `buried`. Default `pending`. */
  state?: 'pending' | 'buried'
}

/** Each delivery of the device's relay that waits to be sent, or each that was set aside. */
export function eachDelivery(
  client: Pick<Client, 'listDeliveries'>,
  deviceUrn: string,
  { state = 'pending', ...options }: EachDeliveryOptions = {},
): AsyncGenerator<Delivery, void, void> {
  return each('eachDelivery', options, async (page) => {
    const { data } = await client.listDeliveries(deviceUrn, { state, ...page })
    return { data, next: data.length === page.limit ? data.at(-1)?.id : undefined }
  })
}

/** Each track of the air picture, sorted by ID. */
export function eachAirTrack(
  air: Pick<AirCalls, 'listAirTracks'>,
  { bbox, ...options }: EachAirTrackOptions = {},
): AsyncGenerator<AirTrack, void, void> {
  return each('eachAirTrack', options, async (page) => {
    const { data, truncated } = await air.listAirTracks({ ...(bbox !== undefined && { bbox }), ...page })
    return { data, next: truncated ? data.at(-1)?.id : undefined }
  })
}

export interface EachAirTrackOptions extends EachOptions, Pick<ListAirTracksOptions, 'bbox'> {}

interface PageOptions extends CallOptions {
  limit: number
  after?: string
}

async function* each<T>(
  caller: string,
  { pageSize: limit = 100, signal, timeoutMs, ...others }: EachOptions = {},
  read: (page: PageOptions) => Promise<{ data: T[]; next?: string | undefined }>,
): AsyncGenerator<T, void, void> {
  checkNoOthers(others, caller)
  for (let after: string | undefined; ; ) {
    const { data, next } = await read({ limit, signal, timeoutMs, ...(after !== undefined && { after }) })
    yield* data
    if (next === undefined) return
    after = next
  }
}
