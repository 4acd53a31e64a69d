/**
 * What a seed did to each of its entries, by name. In: outcomes. Out: one sentence for each kind of outcome, for the
 * banner and the log.
 */

/** `differing`: the record says something else than the seed, and was not changed. */
export type SeedOutcome = 'created' | 'changed' | 'unchanged' | 'differing'

export interface SeededEntry {
  /** Such as `client fleet`. */
  name: string
  outcome: SeedOutcome
  /** What was changed, or what differs. */
  detail?: string
}

/** A seed may have thousands of sensors. */
const shownNames = 20

const titles: Record<SeedOutcome, string> = {
  created: 'created',
  changed: 'changed',
  unchanged: 'left as they are',
  differing: 'left as they are, although the seed differs',
}

/** Only outcomes that some entry has. */
export function toSeedSentences(entries: SeededEntry[]): string[] {
  const outcomes = Object.keys(titles) as SeedOutcome[]
  return outcomes.flatMap((outcome) => {
    const names = entries.filter((entry) => entry.outcome === outcome).map(toName)
    if (names.length === 0) return []
    const more = names.length > shownNames ? `, and ${names.length - shownNames} more` : ''
    return [`${titles[outcome]}: ${names.slice(0, shownNames).join(', ')}${more}`]
  })
}

function toName({ name, detail }: SeededEntry): string {
  return detail === undefined ? name : `${name} (${detail})`
}
