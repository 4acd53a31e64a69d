/** What the bench runs: true targets, and what sensors send of them. */
import type { TrueTarget } from '../metrics/truth.ts'
import type { Sighting } from '../sighting.ts'

export interface Scenario {
  name: string
  make(seed: number): Situation
}

export interface Situation {
  targets: readonly TrueTarget[]
  sightings: readonly Sighting[]
}
