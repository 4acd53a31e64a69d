/**
 * Tokens of paired devices: a device has one family from pairing at most, and the newest one counts.
 * Beside the families, a pointer per device names the current one; what it does not name is dead.
 */
import type { DeviceRecord } from '../ports/directory.ts'
import type { Store } from '../ports/store.ts'
import type { RefreshFamilies, RefreshFamily } from './refresh-family.ts'
import type { TokenPair } from './refresh-token.ts'

export interface PairedFamilies {
  /** A new family for the device; the one of an earlier pairing ends. */
  issue(device: DeviceRecord): Promise<TokenPair>
  /** True while the device was not paired again; the pointer then lives on with the family. */
  keep(family: RefreshFamily, deviceUrn: string): Promise<boolean>
}

/** What a device's token is for (specification, "Device authentication"). */
const scopes = ['surveillance_api']
/** Longer than a family can idle. */
const pointerTtlMs = 91 * 24 * 60 * 60_000

export function createPairedFamilies({ store, families }: { store: Store; families: RefreshFamilies }): PairedFamilies {
  /** Names the family as the device's current one; answers which one was. */
  async function swapPointer(deviceUrn: string, familyId: string): Promise<string | undefined> {
    for (;;) {
      const earlier = await store.get<string>(toKey(deviceUrn))
      if (await store.replace(toKey(deviceUrn), earlier, familyId, pointerTtlMs)) return earlier
    }
  }

  return {
    async issue({ id: deviceUrn, clientId }) {
      const subject = { kind: 'device', deviceUrn } as const
      const { familyId, pair } = await families.create({ clientId, subject, scopes, paired: true })
      const earlier = await swapPointer(deviceUrn, familyId)
      if (earlier !== undefined) await families.revoke(earlier)
      return pair
    },
    keep: ({ id }, deviceUrn) => store.replace(toKey(deviceUrn), id, id, pointerTtlMs),
  }
}

function toKey(deviceUrn: string): string {
  return `paired-family:${deviceUrn}`
}
