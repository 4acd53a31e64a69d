/**
 * The parameters of the tracker. They were chosen on one recording and one seed of `bench/air`, and evaluated on
 * others; docs/air-method.md names them. Units as in the names; variances are squares of standard deviations per axis.
 */

export const filterParameters = {
  /** Power spectral density of the acceleration in straight flight, m²/s³: along the velocity, across it, vertical. */
  alongNoise: 1,
  acrossNoise: 1,
  verticalNoise: 2,
  /** Standard deviation of a velocity that no sensor has reported, per axis. */
  unknownVelocityMetresPerSecond: 150,
  unknownVelocityOnGroundMetresPerSecond: 15,
  unknownVerticalRateMetresPerSecond: 8,
  /** A velocity or vertical rate is part of the track when its standard deviation is below this. */
  knownVelocityMetresPerSecond: 25,
  knownVerticalRateMetresPerSecond: 5,
  /**
   * Later measurements are predicted and earlier ones retrodicted at most this far; older ones enter the history only.
   */
  maxRetrodictionMs: 10_000,
} as const

/** Of the model of targets that turn or change their speed. */
export const turnParameters = {
  /** Standard deviation of the acceleration across the velocity when a turn begins, and how long it lasts. */
  accelerationMetresPerSecondSquared: 4,
  fadesInSeconds: 80,
  /** As `alongNoise`. */
  manoeuvreNoise: 9,
  /** How long straight flight and turns last, on average. */
  straightSeconds: 60,
  turnSeconds: 40,
  maxRadiansPerSecond: 0.3,
  /** A turn that nobody sees goes on for this time. */
  maxTurnSeconds: 15,
  leastProbability: 0.01,
} as const

/** Stated accuracies are bounds of about 95 %: two standard deviations. Floors and defaults are standard deviations. */
export const accuracyParameters = {
  sigmasOfAccuracy: 2,
  positionFloorMetres: 8,
  /** When the accuracy comes from the number of decimals, which says little about the sensor. */
  derivedPositionFloorMetres: 30,
  positionCeilingMetres: 20_000,
  velocityFloorMetresPerSecond: 1.5,
  velocityDefaultMetresPerSecond: 3,
  verticalRateDefaultMetresPerSecond: 1.5,
  heightFloorMetres: 10,
  heightDefaultMetres: 25,
  derivedHeightFloorMetres: 60,
  /** Errors that last for a target, beside those of the sensor's place; only between different sensors. */
  biasShareOfAccuracy: 0.5,
  /** Of what a radar saw and a transponder's receiver passes on (TIS-B). */
  relayedBiasMetres: 60,
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
  /** A velocity that changes by less is the same, when clocks and places are compared. */
  steadyMetresPerSecond: 8,
  /** The clock of a sensor is ahead when at least so many positions in a row are later than their receipt. */
  aheadRun: { positions: 5, durationMs: 4_000 },
  /** It is so no longer when no position was for this time. */
  notAheadRunMs: 60_000,
  /** A target of certain identity shows offsets up to this. */
  maxOffsetSeconds: 5,
} as const

export const biasParameters = {
  /** Standard deviation per axis, before anything is known of where a sensor puts its targets, and at least. */
  unknownMetres: 14,
  knownMetres: 7,
  /** Growth of the variance, m²/s. */
  metresDrift: 0.02,
  /** A target of certain identity shows errors of a place up to this, */
  maxMetres: 1_500,
  /** unless another target of the sensor was in its place in this time. */
  agreedMs: 10_000,
} as const

/** Of a sensor that measures from where it stands, such as a radar. */
export const polarParameters = {
  /** Standard deviations of its azimuth and range, before anything is known of them, and at least. */
  unknownDegrees: 0.5,
  knownDegrees: 0.03,
  unknownRangeMetres: 50,
  knownRangeMetres: 10,
  /** Before anything is known of them: at most this many times the standard deviation of each of its positions. */
  mostSigmas: 3,
  /** Growth of the variance, degrees²/s; that of the range is as for a place. */
  degreesDrift: 2e-7,
  /** A target of certain identity shows errors of an azimuth up to this. */
  maxDegrees: 5,
  /** Nearer targets have no certain bearing. */
  leastRangeMetres: 100,
  /** A sensor whose targets are farther away does not stand where it says. */
  maxRangeMetres: 600_000,
  /** It has moved if it says that it is farther from where it was. It is fixed again after this time. */
  leastMoveMetres: 50,
  fixedAfterMs: 60_000,
} as const

export const clockSearchParameters = {
  maxSeconds: 20,
  leastSeconds: 2,
  /** Targets of the sensor that must agree, and their share of all that it alone has. */
  targets: 3,
  share: 0.6,
  toleranceSeconds: 1,
  ticks: 3,
  /** The same path and velocity. */
  acrossMetres: 150,
  velocityMetresPerSecond: 25,
  heightMetres: 200,
  /** Looks for the targets of one sensor per tick. */
  maxTargets: 50,
} as const

export const gateParameters = {
  /** Chi-square bounds at 99.9 % for 1 to 5 degrees of freedom. */
  bounds: [10.83, 13.82, 16.27, 18.47, 20.52],
  /** A match of a weak identifier widens the gate. */
  weakIdentifierFactor: 2,
  /** How much worse the second candidate must be: -2 ln of the ratio of the likelihoods. */
  ambiguity: 3,
  /** -2 ln of the likelihood of a new target (one in about 1,000 square kilometres). */
  newTarget: 38,
  /** An altitude says nothing if one side has none. */
  onGroundMismatch: 9,
  searchMetres: 4_000,
} as const

/**
 * Two positions of a sensor that tells no targets apart begin a track, when a target can have flown from one to the
 * other.
 */
export const startParameters = {
  metresPerSecond: 350,
  sigmas: 3,
  /** The second one is missed at most once. */
  scans: 2.5,
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
  /** An anonymous track that has been where the other one is since it began: it is an echo of it (TIS-B). */
  echoHits: 3,
  echoDurationMs: 2_000,
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
   * Work per tick: a look at a neighbour is 1, a comparison 20. 10,000 tracks of recorded density need less. When it is
   * used up, the next tick continues with the next track.
   */
  maxWork: 1_000_000,
  comparisonWork: 20,
} as const

/** Of two targets of one sensor, which one is where another sensor names an aircraft? */
export const rivalParameters = {
  comparisons: 5,
  /** Comparisons that the mean has. */
  memory: 30,
  /** How much better the rival must fit: -2 ln of the ratio of the likelihoods. */
  advantage: 12,
  maxApartMs: 2_500,
  /** By then, rivals are found. */
  knownAfterMs: 2_500,
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
  /** Of what a sensor does not tell apart, at most this, in its scans. */
  tentativeScans: 3.5,
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
  idCharacters: 64,
  pendingAssociations: 20_000,
  /** Of the identifiers of a track. */
  identifierBytes: 1_024,
  /**
   * Of a track without its history. When there are many tracks, each has its share of the total, at least the least.
   */
  trackBytes: 32 * 1_024,
  leastTrackBytes: 5 * 1_024,
  totalBytes: 64 * 1_024 * 1_024,
  /** A track keeps as many also when it has more bytes. */
  leastSources: 2,
} as const
