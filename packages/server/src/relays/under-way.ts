/**
 * The attempts that this process makes right now, one per device at most, so that an update of a relay can end them:
 * what is under way to the old address, here or in another process, is given up before the update is answered.
 */
import type { RelayChanges } from '../ports/relay-changes.ts'

export interface UnderWay {
  /** Announces an attempt, before it is looked up where it goes; `signal` aborts when it is given up. */
  begin(line: string): { signal: AbortSignal; end(): void }
  /** What was announced before is not sent any more, or cut off. @throws ApiError `unavailable` */
  giveUp(line: string): Promise<void>
  giveUpAll(): void
}

/** @param changes What other processes hear and tell. Default: there are none. */
export function createUnderWay(changes?: RelayChanges): UnderWay {
  const attempts = new Map<string, AbortController>()
  const giveUpHere = (line: string) => attempts.get(line)?.abort()
  changes?.listen(giveUpHere)
  return {
    begin(line) {
      const attempt = new AbortController()
      attempts.set(line, attempt)
      return {
        signal: attempt.signal,
        end() {
          if (attempts.get(line) === attempt) attempts.delete(line)
        },
      }
    },
    async giveUp(line) {
      giveUpHere(line)
      await changes?.announce(line)
    },
    giveUpAll() {
      for (const attempt of attempts.values()) attempt.abort()
    },
  }
}
