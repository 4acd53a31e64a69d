/**
 * The attempts that this process makes right now, one per device at most, so that an update of a relay can end them:
 * what is under way to the old address is given up before the update is answered.
 */
export interface UnderWay {
  /** Announces an attempt, before it is looked up where it goes; `signal` aborts when it is given up. */
  begin(line: string): { signal: AbortSignal; end(): void }
  /** What was announced before is not sent any more, or cut off. */
  giveUp(line: string): void
  giveUpAll(): void
}

export function createUnderWay(): UnderWay {
  const attempts = new Map<string, AbortController>()
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
    giveUp: (line) => attempts.get(line)?.abort(),
    giveUpAll() {
      for (const attempt of attempts.values()) attempt.abort()
    },
  }
}
