/**
 * The HTTP operations of pairing (specification, "Surveillance ingest"; pairing requests are an addition of the
 * toolkit).
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { PairingRequest, PairingToken } from '@posrep/spec'
import type { DeviceRegistry } from '../devices/registry.ts'
import { isOfSensorClient } from '../devices/sensor-client.ts'
import { ApiError } from '../errors.ts'
import type { Handlers } from '../http/operation/operation.ts'
import { getUser } from '../http/operation/principal.ts'
import { createThrottle } from '../http/throttle.ts'
import type { Clock } from '../ports/clock.ts'
import type { ConsumePairingToken } from './consume-pairing-token.ts'
import type { PairingPresses } from './pairing-presses.ts'
import type { PairingRequestRecord, PairingRequests } from './pairing-request.ts'

export interface PairingOperationsOptions {
  pairingRequests: PairingRequests
  presses: PairingPresses
  consumePairingToken: ConsumePairingToken
  devices: Pick<DeviceRegistry, 'getOwned'>
  clock: Clock
}

/** Each is kept for 15 minutes. */
const perMinute = 600

export function pairingOperations(options: PairingOperationsOptions) {
  const { pairingRequests, presses, consumePairingToken, devices, clock } = options
  const limit = createThrottle({
    clock,
    limit: perMinute,
    windowMs: 60_000,
    message: `More than ${perMinute} pairing requests of this account in a minute`,
  })

  async function getOwned(id: string, accountId: string): Promise<PairingRequestRecord> {
    const request = await pairingRequests.find(id)
    if (request?.accountId !== accountId)
      throw new ApiError('pairing_not_found', 'No pairing request of this account has this id')
    return request
  }

  return {
    async consumePairingToken({ query: { clientUniqueId }, address, headers }) {
      const asking = { address, userAgent: toUserAgent(headers) }
      const { request, device, tokens } = await consumePairingToken(clientUniqueId, asking)
      // Real firmware reads the fields in the specification's order.
      const body: PairingToken = {
        id: request.id,
        sensorId: device.id,
        clientUniqueId: device.localId,
        accessToken: tokens.accessToken,
        refreshToken: tokens.refreshToken,
        expiresAt: toOffsetTime(tokens.expiresAtMs),
      }
      return { status: 200, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' }, body }
    },
    async createPairingRequest(request) {
      const user = getUser(request)
      const device = await devices.getOwned(request.body.deviceId, user.accountId)
      limit.check(user.accountId)
      limit.count(user.accountId)
      if (isOfSensorClient(device.id)) await presses.count(user.accountId, device.localId)
      return { status: 201, body: toPairingRequest(await pairingRequests.start(device, user), clock.now()) }
    },
    async getPairingRequest(request) {
      const found = await getOwned(request.path.pairingRequestId, getUser(request).accountId)
      return { status: 200, body: toPairingRequest(found, clock.now()) }
    },
    async cancelPairingRequest(request) {
      await pairingRequests.cancel(await getOwned(request.path.pairingRequestId, getUser(request).accountId))
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}

function toPairingRequest(
  { id, deviceUrn, localId, state, expiresAtMs, consumedBy, sources }: PairingRequestRecord,
  nowMs: number,
): PairingRequest {
  const open = state === 'pending' && nowMs < expiresAtMs
  return {
    id,
    deviceId: deviceUrn,
    clientUniqueId: localId,
    state: state === 'consumed' ? 'consumed' : open ? 'pending' : 'expired',
    expiresAt: new Date(expiresAtMs).toISOString(),
    consumedBy: consumedBy && {
      address: consumedBy.address,
      userAgent: consumedBy.userAgent,
      at: new Date(consumedBy.atMs).toISOString(),
    },
    sources: sources.length,
  }
}

const maxUserAgent = 200

/** The caller's User-Agent, reduced to what a page can show. */
function toUserAgent(headers: IncomingHttpHeaders): string | null {
  const text = headers['user-agent']
    ?.replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, maxUserAgent)
    .trim()
  return text || null
}

/** ISO 8601 in UTC with a numeric offset, whole seconds: `2026-01-07T06:32:45+00:00`. */
function toOffsetTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}+00:00`
}
