/**
 * Tokens of paired devices: a device has at most one valid family from pairing, the newest one.
 * A pointer per device names its current family; every other family of the device is dead.
 */
import { ApiError } from '../../errors.ts'
import type { DeviceRecord, Directory } from '../../ports/storage/directory.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import { subjectsOf } from '../revocation/revocation-subject.ts'
import type { Revocations } from '../revocation/revocations.ts'
import type { RefreshFamilies, RefreshFamily } from './refresh-family.ts'
import type { TokenPair } from './sealed-successor.ts'

export interface PairedFamilies {
  /**
   * Creates a new family for the device; the family of an earlier pairing ends.
   * @throws ApiError `pairing_not_found` when the device is blocked or gone, or its client disabled.
   */
  issue(deviceUrn: string): Promise<{ clientId: string; familyId: string; pair: TokenPair }>
  /** Makes the pointer live as long as the refreshed family. False if the device was paired again. */
  keep(family: RefreshFamily, deviceUrn: string): Promise<boolean>
}

export interface PairedFamiliesOptions {
  store: Store
  directory: Directory
  families: RefreshFamilies
  revocations: Pick<Revocations, 'issue'>
}

/** The scopes of a device's token (specification, "Device authentication"). */
const scopes = ['surveillance_api']
/** Longer than an unused family lives. */
const pointerTtlMs = 91 * 24 * 60 * 60_000

export function createPairedFamilies({
  store,
  directory,
  families,
  revocations,
}: PairedFamiliesOptions): PairedFamilies {
  async function getAllowed(deviceUrn: string): Promise<DeviceRecord> {
    const device = await directory.find('device', deviceUrn)
    const client = device && (await directory.find('client', device.clientId))
    if (device && !device.blocked && client && !client.disabled) return device
    throw new ApiError('pairing_not_found', 'No pairing request is pending for this clientUniqueId')
  }

  /** Before the new pairing, because many pairings end all tokens of the device (decision 71). */
  async function endEarlier(deviceUrn: string): Promise<void> {
    await getAllowed(deviceUrn)
    const earlierId = await store.get<string>(toKey(deviceUrn))
    const earlier = earlierId === undefined ? undefined : await families.get(earlierId)
    if (earlier) await families.revoke(earlier.id, earlier)
  }

  return {
    async issue(deviceUrn) {
      await endEarlier(deviceUrn)
      const subject = { kind: 'device', deviceUrn } as const
      return revocations.issue({
        async read() {
          const { clientId } = await getAllowed(deviceUrn)
          const slot = await families.findSlot({ clientId, subject }, true)
          return { clientId, slot, subjects: subjectsOf(clientId, subject) }
        },
        async write({ clientId, slot }, issuedAfterMs) {
          const grant = { slot, clientId, subject, scopes, issuedAfterMs, paired: true }
          const { familyId, pair } = await families.create(grant)
          const earlier = await changeStored(store, toKey(deviceUrn), () => familyId, pointerTtlMs)
          if (earlier !== undefined) await families.revoke(earlier)
          return { clientId, familyId, pair }
        },
        discard: ({ familyId }) => families.discard(familyId),
      })
    },
    keep: ({ id }, deviceUrn) => store.replace(toKey(deviceUrn), id, id, pointerTtlMs),
  }
}

function toKey(deviceUrn: string): string {
  return `paired-family:${deviceUrn}`
}
