/**
 * A user's wish to have sensors registered (specification, "Device authentication": a support request).
 * In: the sensors, all of which must be possible. Out: requests that an operator decides, or registered sensors where
 * registration is open.
 */
import { randomUUID } from 'node:crypto'
import type { NewSensor } from '@posrep/spec'
import { ApiError, type ErrorPlace } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Client, Directory, SensorRequest } from '../ports/directory.ts'
import { isLocalId, type SensorIdPolicy } from './local-id.ts'
import { hasOwnClient, toOwnClient } from './own-client.ts'
import { toDeviceRecord } from './registry.ts'

export interface SensorRequests {
  /** All of them or none. @throws ApiError `invalid_body` that names every sensor that cannot be registered */
  create(asking: { accountId: string; userId: string }, sensors: NewSensor[]): Promise<SensorRequest[]>
  /** Newest first; those that were asked for together by their local IDs. */
  list(accountId: string): Promise<SensorRequest[]>
}

export interface SensorRequestsOptions {
  directory: Directory
  clock: Clock
  sensorIdPolicy: SensorIdPolicy
  /** Registers at once, without an operator. */
  openRegistration: boolean
}

/** What one account may have waiting for the operator. */
const maxPending = 10_000

export function createSensorRequests(options: SensorRequestsOptions): SensorRequests {
  const { directory, clock, sensorIdPolicy, openRegistration } = options

  async function list(accountId: string): Promise<SensorRequest[]> {
    const requests = await directory.list('sensorRequest', { where: { index: 'accountId', equals: accountId } })
    return requests.sort((a, b) => b.requestedAtMs - a.requestedAtMs || (a.localId < b.localId ? -1 : 1))
  }

  /** Local IDs that the account has already, registered or asked for. */
  async function findTaken(accountId: string, pending: SensorRequest[]): Promise<Map<string, string>> {
    const devices = await directory.list('device', { where: { index: 'accountId', equals: accountId } })
    return new Map([
      ...pending.map(({ localId }): [string, string] => [localId, 'is asked for already']),
      ...devices.map(({ localId }): [string, string] => [localId, 'is registered already']),
    ])
  }

  /** What its sensors can be of; an account without a client gets one of its own with its first sensor. */
  async function toClients(accountId: string): Promise<{ clients: Client[]; own: Client | undefined }> {
    const clients = await directory.list('client', { where: { index: 'accountId', equals: accountId } })
    const account = clients.length === 0 ? await directory.find('account', accountId) : undefined
    const own = account && toOwnClient(account)
    return { clients: own ? [own] : clients, own }
  }

  return {
    list,
    async create({ accountId, userId }, sensors) {
      const [{ clients, own }, requests] = await Promise.all([toClients(accountId), list(accountId)])
      const pending = requests.filter(({ state }) => state === 'pending')
      if (pending.length + sensors.length > maxPending) throw tooMany(pending.length)
      const taken = await findTaken(accountId, pending)
      const errors: ErrorPlace[] = []
      const accepted: { client: Client; localId: string; name: string }[] = []
      for (const [index, { clientUniqueId: localId, name = localId, clientId }] of sensors.entries()) {
        const problem = findLocalIdProblem(localId, sensorIdPolicy) ?? taken.get(localId)
        if (problem !== undefined) errors.push(toPlace(index, 'clientUniqueId', `"${localId}" ${problem}`))
        else taken.set(localId, 'comes twice')
        const client = chooseClient(clients, clientId)
        if (typeof client === 'string') errors.push(toPlace(index, 'clientId', client))
        else accepted.push({ client, localId, name })
      }
      if (errors.length > 0) throw refused(errors)
      if (own && !(await hasOwnClient(directory, own))) throw refused([toPlace(0, 'clientId', noClient)])

      const requestedAtMs = clock.now()
      const records = accepted.map(
        ({ client, localId, name }): SensorRequest => ({
          id: `sr_${randomUUID()}`,
          accountId,
          clientId: client.id,
          localId,
          name,
          requestedBy: userId,
          requestedAtMs,
          state: openRegistration ? 'approved' : 'pending',
        }),
      )
      if (openRegistration) {
        const devices = accepted.map((sensor) => toDeviceRecord(sensor, requestedAtMs))
        const places = await directory.insertAll('device', devices)
        if (places.length > 0)
          throw refused(places.map((n) => toPlace(n, 'clientUniqueId', takenMeanwhile(devices[n]?.id))))
      }
      await directory.insertAll('sensorRequest', records)
      return records
    },
  }
}

function findLocalIdProblem(localId: string, policy: SensorIdPolicy): string | undefined {
  return isLocalId(localId, policy) ? undefined : 'must be 1 to 255 letters and digits'
}

/** The client that was named; without a name, the only one that the sensor can be of. A text says why there is none. */
function chooseClient(clients: Client[], clientId: string | undefined): Client | string {
  const enabled = clients.filter(({ disabled }) => !disabled)
  if (clientId !== undefined) {
    return enabled.find(({ id }) => id === clientId) ?? `"${clientId}" is no client application of this account`
  }
  const ofSensors = enabled.filter(({ grants }) => grants.includes('client_credentials'))
  const candidates = ofSensors.length > 0 ? ofSensors : enabled
  if (candidates[0] && candidates.length === 1) return candidates[0]
  if (candidates.length === 0) return noClient
  return `must name one of the account's client applications: ${candidates.map(({ id }) => id).join(', ')}`
}

const noClient = 'must name a client application, and this account has none that is enabled; ask the operator for one'

function toPlace(index: number, member: string, detail: string): ErrorPlace {
  return { pointer: `/sensors/${index}/${member}`, code: 'sensor', detail }
}

function takenMeanwhile(urn: string | undefined): string {
  return `"${urn}" is registered already`
}

function refused(errors: ErrorPlace[]): ApiError {
  const [first] = errors
  const more = errors.length > 1 ? `; ${errors.length - 1} more in "errors"` : ''
  return new ApiError('invalid_body', `"${first?.pointer}" ${first?.detail}${more}`, { errors })
}

function tooMany(pending: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `${pending} sensors of this account wait for the operator, and at most ${maxPending} may; try again when some are decided`,
    { headers: { 'Retry-After': '3600' } },
  )
}
