/**
 * Tokens of paired devices: a device has at most one valid family from pairing, the newest one.
 * A pointer per device names its current family; every other family of the device is dead.
 */
import { ApiError } from '../../errors.ts'
import type { DeviceRecord, Directory } from '../../ports/storage/directory.ts'
import type { Store } from '../../ports/storage/store.ts'
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
  /** Makes the family the device's current one; returns the former one. */
  async function swapPointer(deviceUrn: string, familyId: string): Promise<string | undefined> {
    for (;;) {
      const earlier = await store.get<string>(toKey(deviceUrn))
      if (await store.replace(toKey(deviceUrn), earlier, familyId, pointerTtlMs)) return earlier
    }
  }

  async function getAllowed(deviceUrn: string): Promise<DeviceRecord> {
    const device = await directory.find('device', deviceUrn)
    const client = device && (await directory.find('client', device.clientId))
    if (device && !device.blocked && client && !client.disabled) return device
    throw new ApiError('pairing_not_found', 'No pairing request is pending for this clientUniqueId')
  }

  return {
    issue(deviceUrn) {
      const subject = { kind: 'device', deviceUrn } as const
      return revocations.issue({
        async read() {
          const { clientId } = await getAllowed(deviceUrn)
          const place = await families.findPlace({ clientId, subject })
          return { clientId, place, subjects: subjectsOf(clientId, subject) }
        },
        async write({ clientId, place }, issuedAfterMs) {
          const grant = { place, clientId, subject, scopes, issuedAfterMs, paired: true }
          const { familyId, pair } = await families.create(grant)
          const earlier = await swapPointer(deviceUrn, familyId)
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
