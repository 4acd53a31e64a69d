/**
 * The attempts that this process makes right now, one per device at most, so that an update of a relay can end them:
 * what is under way to the old address, here or in another process, is given up before the update is answered.
 */
import type { RelayChanges } from '../ports/relay-changes.ts'
import { GivingUp } from './giving-up.ts'

export interface UnderWay {
  /** Announces attempts, before it is looked up where they go. */
  begin(line: string): { givingUp: GivingUp; end(): void }
  /** What was announced before is not sent any more, or cut off. @throws ApiError `unavailable` */
  giveUp(line: string): Promise<void>
  giveUpAll(): void
}

/** @param changes What other processes hear and tell. Default: there are none. */
export function createUnderWay(changes?: RelayChanges): UnderWay {
  const attempts = new Map<string, GivingUp>()
  const giveUpHere = (line: string) => attempts.get(line)?.giveUp()
  changes?.listen(giveUpHere)
  return {
    begin(line) {
      const givingUp = new GivingUp()
      attempts.set(line, givingUp)
      return {
        givingUp,
        end() {
          if (attempts.get(line) === givingUp) attempts.delete(line)
        },
      }
    },
    async giveUp(line) {
      giveUpHere(line)
      await changes?.announce(line)
    },
    giveUpAll() {
      for (const givingUp of attempts.values()) givingUp.giveUp()
    },
  }
}
