/**
 * Operator commands on sensor requests, which users make in the portal (specification, "Sensor registration").
 * In: request ids. Out: views; AdminError for conflicts. A request is approved or refused once.
 */
import { type DeviceRegistry, toDeviceRecord } from '../../devices/registry.ts'
import type { Audit } from '../../identity/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Client, Directory, SensorRequest } from '../../ports/storage/directory.ts'
import { AdminError } from '../admin-error.ts'
import { unknownClient } from '../client-admin.ts'
import { type EntryRules, findLocalIdProblem } from '../entries.ts'
import { type RegisteredSensorView, type SensorRequestView, toTime } from '../views.ts'
import { announceRegistered, describeTaken } from './sensor-admin.ts'

export interface SensorRequests {
  /** The pending requests, or all; oldest first. */
  list(options?: { all?: boolean | undefined }): Promise<SensorRequestView[]>
  /** Registers the sensor. It may be paired, even if other accounts have its local ID, which the answer shows. */
  approve(requestId: string): Promise<RegisteredSensorView>
  refuse(requestId: string): Promise<SensorRequestView>
}

export interface SensorRequestOptions {
  directory: Directory
  devices: DeviceRegistry
  clock: Clock
  rules: EntryRules
  audit: Audit
}

export function sensorRequests({ directory, devices, clock, rules, audit }: SensorRequestOptions): SensorRequests {
  async function getPending(requestId: string): Promise<SensorRequest> {
    const request = await directory.find('sensorRequest', requestId)
    if (!request) {
      throw new AdminError(
        'not_found',
        `There is no request "${requestId}"; to list the pending requests: posrep-server sensors requests`,
      )
    }
    if (request.state !== 'pending') throw decided(request)
    return request
  }

  async function decide(request: SensorRequest, state: 'approved' | 'refused'): Promise<SensorRequest> {
    const after = await directory.update('sensorRequest', request.id, (current) =>
      current.state === 'pending' ? { ...current, state } : current,
    )
    if (after?.state !== state) throw decided(after ?? request)
    return after
  }

  async function toView(request: SensorRequest): Promise<SensorRequestView> {
    const { id, accountId, clientId, localId, name, state } = request
    const [user, namesakes] = await Promise.all([
      directory.find('user', request.requestedBy),
      devices.findNamesakes(request),
    ])
    return {
      id,
      account: accountId,
      client: clientId,
      localId,
      name,
      requestedBy: user?.email ?? request.requestedBy,
      requestedAt: toTime(request.requestedAtMs),
      state,
      alsoIn: namesakes.map((device) => device.accountId),
    }
  }

  return {
    async list({ all = false } = {}) {
      const where = { where: { index: 'state', equals: 'pending' } }
      const requests = await directory.list('sensorRequest', all ? {} : where)
      return Promise.all(requests.sort((a, b) => a.requestedAtMs - b.requestedAtMs).map(toView))
    },
    async approve(requestId) {
      const request = await getPending(requestId)
      const { clientId, localId, name } = request
      const client = await directory.find('client', clientId)
      if (!client) throw unknownClient(clientId)
      checkAllowed(request, client, rules)
      const device = toDeviceRecord({ client, localId, name }, clock.now())
      const isNew = await directory.insert('device', device)
      const existing = isNew ? device : await devices.find(device.id)
      // If the device belongs to this client, an earlier approval was interrupted after the insert.
      if (existing?.clientId !== clientId) {
        const taken = describeTaken(device, existing ?? (await devices.findByLocalId(client.accountId, localId)))
        throw cannotApprove(requestId, taken)
      }
      try {
        await decide(request, 'approved')
      } catch (error) {
        // Another operator refused the request meanwhile.
        if (isNew) await directory.remove('device', device.id)
        throw error
      }
      // The device may have registered itself before.
      return announceRegistered(await devices.allowPairing(existing.id), { devices, audit })
    },
    refuse: async (requestId) => toView(await decide(await getPending(requestId), 'refused')),
  }
}

function checkAllowed({ id, localId, accountId }: SensorRequest, client: Client, rules: EntryRules): void {
  const problem = findLocalIdProblem(localId, rules)
  if (problem !== undefined) throw cannotApprove(id, `the local ID ${problem}`)
  if (client.accountId === accountId) return
  throw cannotApprove(id, `the client "${client.id}" does not belong to the requesting account "${accountId}"`)
}

function cannotApprove(requestId: string, reason: string): AdminError {
  return new AdminError(
    'conflict',
    `The request cannot be approved: ${reason}; to refuse it: posrep-server sensors refuse ${requestId}`,
  )
}

function decided({ id, state }: SensorRequest): AdminError {
  return new AdminError('conflict', `The request "${id}" is already ${state}`)
}
