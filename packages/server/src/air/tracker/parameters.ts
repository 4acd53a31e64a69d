/**
 * The parameters of the tracker. They were chosen on one recording and one seed of `bench/air`, and evaluated on others;
 * decision 0051 has the reasons. Units as in the names; variances are squares of standard deviations per axis.
 */

export const filterParameters = {
  /** Power spectral density of the acceleration, m²/s³: along the velocity, across it (turns are harder), vertical. */
  alongNoise: 4,
  acrossNoise: 9,
  verticalNoise: 2,
  /** Standard deviation of a velocity that no sensor has reported, per axis. */
  unknownVelocityMetresPerSecond: 150,
  unknownVelocityOnGroundMetresPerSecond: 15,
  unknownVerticalRateMetresPerSecond: 8,
  /** A velocity or vertical rate is part of the track when its standard deviation is below this. */
  knownVelocityMetresPerSecond: 25,
  knownVerticalRateMetresPerSecond: 5,
  /** Later measurements are predicted and earlier ones retrodicted at most this far; older ones enter the history only. */
  maxRetrodictionMs: 10_000,
} as const

/** Stated accuracies are bounds of about 95 %: two standard deviations. Floors and defaults are standard deviations. */
export const accuracyParameters = {
  sigmasOfAccuracy: 2,
  positionFloorMetres: 8,
  /** When the accuracy comes from the number of decimals, which says little about the sensor. */
  derivedPositionFloorMetres: 30,
  positionCeilingMetres: 20_000,
  velocityFloorMetresPerSecond: 1.5,
  velocityDefaultMetresPerSecond: 5,
  verticalRateDefaultMetresPerSecond: 1.5,
  heightFloorMetres: 10,
  heightDefaultMetres: 25,
  derivedHeightFloorMetres: 60,
  /** Constant errors of a sensor, such as its own position; only between different sensors. */
  biasFloorMetres: 20,
  biasShareOfAccuracy: 0.5,
} as const

export const clockParameters = {
  /** Before anything is known of a clock. Offsets are up to about a second. */
  unknownOffsetSeconds: 0.6,
  knownOffsetSeconds: 0.05,
  /** Growth of the variance of an offset, s²/s. */
  offsetDrift: 1e-6,
  /** Positions of different sensors that are further apart in time say little about their clocks. */
  maxComparisonMs: 5_000,
  minSpeedMetresPerSecond: 30,
  /** The clock of a sensor is ahead when at least so many positions in a row are later than their receipt. */
  aheadRun: { positions: 5, durationMs: 4_000 },
  /** It is so no longer when no position was for this time. */
  notAheadRunMs: 60_000,
  /** A target of certain identity shows offsets up to this. */
  maxOffsetSeconds: 5,
} as const

export const gateParameters = {
  /** Chi-square bounds at 99.9 % for 1 to 5 degrees of freedom. */
  bounds: [10.83, 13.82, 16.27, 18.47, 20.52],
  /** A match of a weak identifier widens the gate. */
  weakIdentifierFactor: 2,
  /** How much worse the second candidate must be: -2 ln of the ratio of the likelihoods. */
  ambiguity: 1,
  /** -2 ln of the likelihood of a new target (one in about 20 square kilometres). */
  newTarget: 30,
  /** An altitude says nothing if one side has none. */
  onGroundMismatch: 9,
  searchMetres: 4_000,
} as const

export const reachParameters = {
  sigmas: 6,
  accelerationMetresPerSecondSquared: 30,
  maxSpeedMetresPerSecond: 700,
  clockSeconds: 5,
  unknownSpeedMetresPerSecond: 100,
} as const

export const mergeParameters = {
  hits: 5,
  durationMs: 5_000,
  /** Tracks of one sensor, which tells them apart itself. */
  sameSensorHits: 20,
  sameSensorDurationMs: 30_000,
  hitShare: 0.9,
  /** How much worse another partner must fit: the difference of the sums of squared distances. */
  ambiguity: 12,
  maxAgeMs: 12_000,
  forgetMs: 30_000,
  /** Compared pairs per track, on average. */
  maxPartners: 4,
  /**
   * Work per tick: a look at a neighbour is 1, a comparison 20. 10,000 tracks of recorded density need less. When it is used up, the
   * next tick continues with the next track.
   */
  maxWork: 1_000_000,
  comparisonWork: 20,
} as const

export const splitParameters = {
  reports: 4,
  durationMs: 4_000,
  /** A contribution that is silent for longer does not vouch for a track. */
  activeMs: 10_000,
} as const

export const lifeParameters = {
  hitsUntilLive: 3,
  tentativeMs: 30_000,
  coastingMs: 12_000,
  coastingOnGroundMs: 45_000,
  endMs: 60_000,
  endOnGroundMs: 300_000,
  /** Sensors that report seldom get more time, in intervals between positions. */
  coastingIntervals: 3,
  endIntervals: 8,
  maxEndMs: 300_000,
  /** Positions that arrive later than this after their time enter no track. */
  maxLatenessMs: 120_000,
} as const

export const boundParameters = {
  identifiers: 16,
  contributions: 16,
  associations: 50,
  historyPoints: 300,
  /** Of all tracks together. */
  totalHistoryPoints: 300_000,
  minHistoryPoints: 20,
  /** Longer identifiers and source ids are ignored. */
  idCharacters: 128,
  pendingAssociations: 20_000,
} as const
