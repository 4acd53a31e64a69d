/**
 * Remembers devices that were removed.
 * In: a removed device. Out: whose right its local ID still is (docs/decisions/0042): a sensor that its owner removed,
 * to register it again or to sell it, must not go to another account that registered its local ID as well. And the
 * number of devices that an account removed: of each, revocations and counters outlive the device by up to 91 days.
 */
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, Directory, FormerDevice } from '../ports/storage/directory.ts'

export interface FormerDevices {
  record(device: DeviceRecord, options: { isReleased: boolean }): Promise<void>
  /** The former devices with this local ID whose accounts have the right to it. */
  findClaims(localId: string): Promise<FormerDevice[]>
  /** How many devices the account has removed and not registered again. */
  count(accountId: string): Promise<number>
  /** Forgets the account's devices of which nothing is left in the storage. */
  sweep(accountId: string): Promise<void>
  /** Whether another account removed a device with this URN. */
  isOfAnother(urn: string, accountId: string): Promise<boolean>
  /** After the device was registered again, if its account had it before. */
  forget(device: Pick<DeviceRecord, 'id' | 'accountId'>): Promise<void>
}

const dayMs = 24 * 60 * 60_000
const rightMs = 30 * dayMs
/** As long as a revocation of the device's tokens is kept (`identity/revocation/revocation-subject.ts`). */
const keptMs = 91 * dayMs

export function createFormerDevices({ directory, clock }: { directory: Directory; clock: Clock }): FormerDevices {
  return {
    async record({ id, localId, accountId, createdAtMs, pairing }, { isReleased }) {
      const former = { id, localId, accountId, createdAtMs, pairing, removedAtMs: clock.now(), isReleased }
      if (!(await directory.insert('formerDevice', former))) await directory.update('formerDevice', id, () => former)
    },
    async findClaims(localId) {
      const former = await directory.list('formerDevice', { where: { index: 'localId', equals: localId } })
      return former.filter(({ isReleased, removedAtMs }) => !isReleased && clock.now() - removedAtMs < rightMs)
    },
    count: (accountId) => directory.count('formerDevice', { where: ofAccount(accountId) }),
    async sweep(accountId) {
      const former = await directory.list('formerDevice', { where: ofAccount(accountId) })
      const old = former.filter(({ removedAtMs }) => clock.now() - removedAtMs >= keptMs)
      await Promise.all(old.map(({ id }) => directory.remove('formerDevice', id)))
    },
    async isOfAnother(urn, accountId) {
      const former = await directory.find('formerDevice', urn)
      return former !== undefined && former.accountId !== accountId
    },
    async forget({ id, accountId }) {
      const former = await directory.find('formerDevice', id)
      if (former?.accountId === accountId) await directory.remove('formerDevice', id)
    },
  }
}

function ofAccount(accountId: string) {
  return { index: 'accountId', equals: accountId }
}
