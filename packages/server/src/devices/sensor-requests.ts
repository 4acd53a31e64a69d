/**
 * A user's requests to register sensors (specification, "Device authentication": a support request).
 * In: sensors, which must all be valid. Out: requests for an operator to decide; with open registration, registered
 * sensors.
 */
import { randomBytes } from 'node:crypto'
import type { NewSensor } from '@posrep/spec'
import { createLimit } from '../concurrency/limit.ts'
import { ApiError, type FieldError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Client, Directory, SensorRequest } from '../ports/storage/directory.ts'
import { isLocalId, type SensorIdPolicy } from './local-id.ts'
import type { DeviceRegistry } from './registry.ts'
import { countSensorClientsInUse, ensureSensorClient, isSensorClient, toSensorClient } from './sensor-client.ts'

interface Requester {
  accountId: string
  userId: string
}

export interface SensorRequests {
  /**
   * Requests all of the sensors or none. @throws ApiError `invalid_body` that lists every sensor that cannot be
   * registered
   */
  create(user: Requester, sensors: NewSensor[]): Promise<SensorRequest[]>
  /** In portions, newest first; requests made at the same time are ordered by local ID. */
  list(accountId: string): AsyncGenerator<SensorRequest[], void, undefined>
}

export interface SensorRequestsOptions {
  directory: Directory
  devices: Pick<DeviceRegistry, 'registerWithoutOperator' | 'hasRoom'>
  clock: Clock
  sensorIdPolicy: SensorIdPolicy
  /** Sensors are registered at once, without an operator. */
  openRegistration: boolean
  /** How many accounts that have only a sensor client can have sensors without an operator. Default: 100. */
  selfRegisteredAccounts?: number
}

/**
 * Limits of one account, larger if an operator has given it a client. An account's older decided requests are removed.
 * Sensors count that users register without an operator, and for 91 days those that they remove: each leaves a
 * revocation for that time.
 */
const limits = {
  known: { pending: 10_000, decided: 10_000, sensors: 10_000 },
  newcomer: { pending: 100, decided: 1_000, sensors: 1_000 },
}
/**
 * At this number of pending requests in all, a newcomer can have one: so they do not fill the storage, and nobody is
 * locked out.
 */
const maxPendingOfNewcomers = 10_000
const portionRequests = 200
const farFutureMs = Date.UTC(2200, 0)

export function createSensorRequests(options: SensorRequestsOptions): SensorRequests {
  const { directory, devices, clock, sensorIdPolicy, openRegistration, selfRegisteredAccounts = 100 } = options
  const inTurn = createLimit()

  async function* list(accountId: string): AsyncGenerator<SensorRequest[], void, undefined> {
    const where = { index: 'accountId', equals: accountId }
    for (let after = ''; ; ) {
      const requests = await directory.list('sensorRequest', { where, limit: portionRequests, after })
      yield requests
      after = requests.at(-1)?.id ?? after
      if (requests.length < portionRequests) return
    }
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

  /**
   * The clients that the account's sensors can belong to. An account without clients gets one with its first sensor.
   */
  async function toClients(accountId: string): Promise<{ clients: Client[]; own: Client | undefined }> {
    const clients = await directory.list('client', { where: { index: 'accountId', equals: accountId } })
    const account = clients.length === 0 ? await directory.find('account', accountId) : undefined
    const own = account && toSensorClient(account)
    return { clients: own ? [own] : clients, own }
  }

  /** Whether the account's sensors are registered without an operator. `registered`: how many it has. */
  async function canRegisterItself(clients: Client[], registered: number): Promise<boolean> {
    if (!openRegistration || registered > 0 || !clients.every(isSensorClient)) return openRegistration
    return (await countSensorClientsInUse(directory, selfRegisteredAccounts)) < selfRegisteredAccounts
  }

  /** Whether so many requests are pending that only one of each newcomer is taken. */
  async function isFull(): Promise<boolean> {
    const pending = await directory.count('sensorRequest', { where: { index: 'state', equals: 'pending' } })
    return pending >= maxPendingOfNewcomers
  }

  return {
    list,
    // One call after the other of an account: calls at the same moment would each see the room that one of them takes.
    create: (user, sensors) => inTurn(user.accountId, () => create(user, sensors)),
  }

  async function create({ accountId, userId }: Requester, sensors: NewSensor[]): Promise<SensorRequest[]> {
    const where = { index: 'accountId', equals: accountId }
    const [{ clients, own }, requests] = await Promise.all([
      toClients(accountId),
      directory.list('sensorRequest', { where }),
    ])
    const pending = requests.filter(({ state }) => state === 'pending')
    const isNewcomer = clients.every(isSensorClient)
    const limit = isNewcomer ? limits.newcomer : limits.known
    const { taken, registered } = await findTaken(accountId, pending)
    const isOpen = await canRegisterItself(clients, registered)
    if (isOpen && !(await devices.hasRoom(accountId, { limit: limit.sensors, more: sensors.length })))
      throw tooManyRegistered(registered, limit.sensors)
    if (!isOpen && pending.length + sensors.length > limit.pending) throw tooMany(pending.length, limit.pending)
    if (!isOpen && isNewcomer && pending.length + sensors.length > 1 && (await isFull())) throw full()
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
    if (own && !(await ensureSensorClient(directory, own))) throw refused([toError(0, 'clientId', noClient)])

    const requestedAtMs = clock.now()
    const localIds = accepted.map(({ localId }) => localId).sort()
    const order = new Map(localIds.map((localId, index) => [localId, index]))
    const records = accepted.map(
      ({ client, localId, name }): SensorRequest => ({
        id: toId(requestedAtMs, order.get(localId) ?? 0),
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
    await Promise.all(decided.slice(limit.decided).map(({ id }) => directory.remove('sensorRequest', id)))
    return records
  }
}

/** Newer requests have lower IDs, so that the order of the IDs is that of the list. */
function toId(requestedAtMs: number, index: number): string {
  const digits = [Math.max(0, farFutureMs - requestedAtMs), index].map((number) =>
    number.toString(16).padStart(12, '0'),
  )
  return `sr_${digits.join('')}${randomBytes(8).toString('hex')}`
}

function findLocalIdProblem(localId: string, policy: SensorIdPolicy): string | undefined {
  return isLocalId(localId, policy) ? undefined : 'must be 1 to 255 letters and digits'
}

/**
 * The client with this id; without an id, the only client that fits. Returns a text with the reason if there is none.
 */
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

function tooMany(pending: number, limit: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `${pending} sensor requests of this account are pending, and the limit is ${limit}; try again when the operator has decided some`,
    { headers: { 'Retry-After': '3600' } },
  )
}

function full(): ApiError {
  return new ApiError(
    'too_many_requests',
    'Very many sensor requests are pending, so each account without a client application can have one; try again when the operator has decided some',
    { headers: { 'Retry-After': '3600' } },
  )
}

function tooManyRegistered(registered: number, limit: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `This account has ${registered} sensors, and users can register up to ${limit}, with those that they removed in the last 91 days; ask the operator for more`,
    { headers: { 'Retry-After': '3600' } },
  )
}
