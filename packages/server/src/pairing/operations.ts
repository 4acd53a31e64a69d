/** The HTTP face of pairing (specification, "Surveillance ingest"; pairing requests are the toolkit's). */
import type { IncomingHttpHeaders } from 'node:http'
import type { PairingRequest, PairingToken } from '@posrep/spec'
import { isLocalId, type SensorIdPolicy } from '../devices/local-id.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'
import { getUser } from '../http/principal.ts'
import { createThrottle, toCaller } from '../http/throttle.ts'
import type { Identity } from '../identity/identity.ts'
import type { Clock } from '../ports/clock.ts'
import type { PairingRequestRecord, PairingRequests } from './pairing-request.ts'

export interface PairingOperationsOptions {
  pairingRequests: PairingRequests
  devices: DeviceRegistry
  issueDeviceTokens: Identity['issueDeviceTokens']
  /** Ends every token of the device. */
  revokeTokens(urn: string): Promise<void>
  sensorIdPolicy: SensorIdPolicy
  clock: Clock
}

type PairingOperations = Pick<
  Handlers,
  'consumePairingToken' | 'createPairingRequest' | 'getPairingRequest' | 'cancelPairingRequest'
>

export function pairingOperations(options: PairingOperationsOptions): PairingOperations {
  const { pairingRequests, devices, issueDeviceTokens, revokeTokens, sensorIdPolicy, clock } = options
  // A device asks once a second; there may be hundreds of them behind one address.
  const perSecond = { clock, windowMs: 1_000, message: 'Too many requests for pairing tokens' }
  const ofCaller = createThrottle({ ...perSecond, limit: 1_000 })
  const ofCallerAndId = createThrottle({ ...perSecond, limit: 5 })

  /** @throws ApiError `too_many_requests` */
  function countAttempt(address: string, localId: string): void {
    const caller = toCaller(address)
    ofCaller.check(caller)
    ofCaller.count(caller)
    const key = `${caller} ${localId}`
    ofCallerAndId.check(key)
    ofCallerAndId.count(key)
  }

  async function getOwned(id: string, accountId: string): Promise<PairingRequestRecord> {
    const request = await pairingRequests.find(id)
    if (request?.accountId !== accountId)
      throw new ApiError('pairing_not_found', 'No pairing request of this account has this id')
    return request
  }

  return {
    async consumePairingToken({ query: { clientUniqueId }, address, headers }) {
      if (!isLocalId(clientUniqueId, sensorIdPolicy)) {
        throw new ApiError('invalid_request', '"clientUniqueId" must be 1 to 255 letters and digits', {
          errors: [
            { pointer: '/query/clientUniqueId', code: 'pattern', detail: 'must be 1 to 255 letters and digits' },
          ],
        })
      }
      countAttempt(address, clientUniqueId)
      const request = await pairingRequests.consume(clientUniqueId, { address, userAgent: toUserAgent(headers) })
      const device = request && (await devices.find(request.deviceUrn))
      if (!request || !device) throw notPending()
      const { accessToken, refreshToken, expiresAtMs } = await issueDeviceTokens(device)
      // Who contested it in this very moment may have ended the device's tokens before these were there.
      if (!(await pairingRequests.stands(request))) {
        await revokeTokens(device.id)
        throw notPending()
      }
      // Real firmware reads the fields in the specification's order.
      const body: PairingToken = {
        id: request.id,
        sensorId: device.id,
        clientUniqueId: device.localId,
        accessToken,
        refreshToken,
        expiresAt: toOffsetTime(expiresAtMs),
      }
      return { status: 200, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' }, body }
    },
    async createPairingRequest(request) {
      const user = getUser(request)
      const device = await devices.getOwned(request.body.deviceId, user.accountId)
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
  }
}

function notPending(): ApiError {
  return new ApiError('pairing_not_found', 'No pairing request is pending for this clientUniqueId')
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

/** What the caller says of itself, as far as it is text that a page can show. */
function toUserAgent(headers: IncomingHttpHeaders): string | null {
  const text = headers['user-agent']
    ?.replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, maxUserAgent)
    .trim()
  return text || null
}

/** ISO 8601 in UTC with its offset in figures, whole seconds: `2026-01-07T06:32:45+00:00`. */
function toOffsetTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}+00:00`
}
