/** Finds targets that report an emergency. In: all tracks. Out: one condition for each of them. */
import type { EmergencyState } from '@posrep/spec'
import type { Condition } from './alert-book.ts'
import type { Mover } from './mover.ts'
import { nameTrack } from './track-name.ts'

const words: Record<EmergencyState, string> = {
  general: 'an emergency',
  lifeguard: 'a medical flight',
  minfuel: 'minimum fuel',
  nordo: 'no radio',
  unlawful: 'unlawful interference',
  downed: 'that it is down',
  reserved: 'an emergency of a reserved kind',
}

export function* findEmergencies(movers: readonly Mover[]): Generator<Condition> {
  for (const { id, track } of movers) {
    const { emergency, squawk } = track
    // A medical flight is no emergency of its own.
    if (emergency === undefined || emergency === 'lifeguard') continue
    const name = nameTrack(track)
    const code = squawk === undefined ? '' : `, code ${squawk}`
    yield {
      key: `emergency ${id}`,
      kind: 'emergency',
      isUrgent: false,
      describe: () => ({
        text: `${name} reports ${words[emergency]}${code}`,
        endText: `${name} no longer reports an emergency`,
        emergency: { trackId: id, emergency, ...(squawk !== undefined && { squawk }) },
      }),
      hasChanged: ({ emergency: shown }) => shown?.emergency !== emergency || shown.squawk !== squawk,
    }
  }
}
