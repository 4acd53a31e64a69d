/**
 * A user's requests to register sensors (specification, "Device authentication": a support request).
 * In: sensors, which must all be valid. Out: requests for an operator to decide; with open registration, registered
 * sensors.
 */
import { randomUUID } from 'node:crypto'
import type { NewSensor } from '@posrep/spec'
import { ApiError, type FieldError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Client, Directory, SensorRequest } from '../ports/storage/directory.ts'
import { isLocalId, type SensorIdPolicy } from './local-id.ts'
import { countOwnClientsInUse, ensureOwnClient, isOwnClient, toOwnClient } from './own-client.ts'
import type { DeviceRegistry } from './registry.ts'

export interface SensorRequests {
  /** Requests all of the sensors or none. @throws ApiError `invalid_body` that lists every sensor that cannot be registered */
  create(user: { accountId: string; userId: string }, sensors: NewSensor[]): Promise<SensorRequest[]>
  /** Newest first; requests made at the same time are ordered by local ID. */
  list(accountId: string): Promise<SensorRequest[]>
}

export interface SensorRequestsOptions {
  directory: Directory
  devices: Pick<DeviceRegistry, 'registerWithoutOperator'>
  clock: Clock
  sensorIdPolicy: SensorIdPolicy
  /** Sensors are registered at once, without an operator. */
  openRegistration: boolean
  /** Of accounts that have no client but the server's own, so many can have sensors without an operator. */
  selfRegisteredAccounts: number
}

/** An account's older decided requests are removed: it could register and remove sensors for ever. */
const maxDecided = 10_000
/** The maximum number of pending requests of one account; with open registration, the maximum number of its sensors. */
const maxPending = 10_000

export function createSensorRequests(options: SensorRequestsOptions): SensorRequests {
  const { directory, devices, clock, sensorIdPolicy, openRegistration, selfRegisteredAccounts } = options

  async function list(accountId: string): Promise<SensorRequest[]> {
    const requests = await directory.list('sensorRequest', { where: { index: 'accountId', equals: accountId } })
    return requests.sort((a, b) => b.requestedAtMs - a.requestedAtMs || (a.localId < b.localId ? -1 : 1))
  }

  /** Local IDs that the account has registered or requested, with the reason. */
  async function findTaken(
    accountId: string,
    pending: SensorRequest[],
  ): Promise<{ taken: Map<string, string>; registered: number }> {
    const registered = await directory.list('device', { where: { index: 'accountId', equals: accountId } })
    const taken = new Map([
      ...pending.map(({ localId }): [string, string] => [localId, 'is already requested']),
      ...registered.map(({ localId }): [string, string] => [localId, 'is already registered']),
    ])
    return { taken, registered: registered.length }
  }

  /** The clients that the account's sensors can belong to. An account without clients gets one with its first sensor. */
  async function toClients(accountId: string): Promise<{ clients: Client[]; own: Client | undefined }> {
    const clients = await directory.list('client', { where: { index: 'accountId', equals: accountId } })
    const account = clients.length === 0 ? await directory.find('account', accountId) : undefined
    const own = account && toOwnClient(account)
    return { clients: own ? [own] : clients, own }
  }

  /** Whether the account's sensors are registered without an operator. `registered`: how many it has. */
  async function canRegisterItself(clients: Client[], registered: number): Promise<boolean> {
    if (!openRegistration || registered > 0 || !clients.every(isOwnClient)) return openRegistration
    return (await countOwnClientsInUse(directory, selfRegisteredAccounts)) < selfRegisteredAccounts
  }

  return {
    list,
    async create({ accountId, userId }, sensors) {
      const [{ clients, own }, requests] = await Promise.all([toClients(accountId), list(accountId)])
      const pending = requests.filter(({ state }) => state === 'pending')
      if (pending.length + sensors.length > maxPending) throw tooMany(pending.length)
      const { taken, registered } = await findTaken(accountId, pending)
      const isOpen = await canRegisterItself(clients, registered)
      if (isOpen && registered + sensors.length > maxPending) throw tooManyRegistered(registered)
      const errors: FieldError[] = []
      const accepted: { client: Client; localId: string; name: string }[] = []
      for (const [index, { clientUniqueId: localId, name = localId, clientId }] of sensors.entries()) {
        const problem = findLocalIdProblem(localId, sensorIdPolicy) ?? taken.get(localId)
        if (problem !== undefined) errors.push(toError(index, 'clientUniqueId', `"${localId}" ${problem}`))
        else taken.set(localId, 'is in the list twice')
        const client = chooseClient(clients, clientId)
        if (typeof client === 'string') errors.push(toError(index, 'clientId', client))
        else accepted.push({ client, localId, name })
      }
      if (errors.length > 0) throw refused(errors)
      if (own && !(await ensureOwnClient(directory, own))) throw refused([toError(0, 'clientId', noClient)])

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
          state: isOpen ? 'approved' : 'pending',
        }),
      )
      if (isOpen) {
        const conflicts = await devices.registerWithoutOperator(accepted)
        if (conflicts.length > 0) {
          throw refused(
            conflicts.map((n) => toError(n, 'clientUniqueId', `"${accepted[n]?.localId}" is already registered`)),
          )
        }
      }
      await directory.insertAll('sensorRequest', records)
      const decided = requests.filter(({ state }) => state !== 'pending')
      await Promise.all(decided.slice(maxDecided).map(({ id }) => directory.remove('sensorRequest', id)))
      return records
    },
  }
}

function findLocalIdProblem(localId: string, policy: SensorIdPolicy): string | undefined {
  return isLocalId(localId, policy) ? undefined : 'must be 1 to 255 letters and digits'
}

/** The client with this id; without an id, the only client that fits. Returns a text with the reason if there is none. */
function chooseClient(clients: Client[], clientId: string | undefined): Client | string {
  const enabled = clients.filter(({ disabled }) => !disabled)
  if (clientId !== undefined) {
    return enabled.find(({ id }) => id === clientId) ?? `"${clientId}" is not a client application of this account`
  }
  const ofSensors = enabled.filter(({ grants }) => grants.includes('client_credentials'))
  const candidates = ofSensors.length > 0 ? ofSensors : enabled
  if (candidates[0] && candidates.length === 1) return candidates[0]
  if (candidates.length === 0) return noClient
  return `must name one of the account's client applications: ${candidates.map(({ id }) => id).join(', ')}`
}

const noClient = 'must name a client application, and this account has none that is enabled; ask the operator for one'

function toError(index: number, member: string, detail: string): FieldError {
  return { pointer: `/sensors/${index}/${member}`, code: 'sensor', detail }
}

function refused(errors: FieldError[]): ApiError {
  const [first] = errors
  const more = errors.length > 1 ? `; ${errors.length - 1} more in "errors"` : ''
  return new ApiError('invalid_body', `"${first?.pointer}" ${first?.detail}${more}`, { errors })
}

function tooMany(pending: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `${pending} sensor requests of this account are pending, and the limit is ${maxPending}; try again when the operator has decided some`,
    { headers: { 'Retry-After': '3600' } },
  )
}

function tooManyRegistered(registered: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `This account has ${registered} sensors, and users can register up to ${maxPending}; ask the operator for more`,
    { headers: { 'Retry-After': '3600' } },
  )
}
