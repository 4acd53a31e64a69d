/**
 * Recognises positions that a receiver says again: Remote ID messages that it heard several times, SBS lines after a reconnect.
 * In: ids of positions, which contain the target and the time. Out: whether the id is one of the last 20,000. No time is later than
 * another, so that one wrong clock does not make all that follows a repetition.
 */

export type Repetitions = (id: string) => boolean

const maxRemembered = 20_000

export function createRepetitions(): Repetitions {
  const known = new Set<string>()
  return (id) => {
    const isRepeated = known.delete(id)
    known.add(id)
    const [oldest] = known
    if (oldest !== undefined && known.size > maxRemembered) known.delete(oldest)
    return isRepeated
  }
}
