/**
 * Receptions of several simulated receivers, made from recorded traffic.
 * In: recorded positions, receivers, a seed. Out: receptions in the order of their receipt, with the recorded identity
 * beside each. Each reception has independent noise of its stated accuracy (a bound of 95 %), the constant bias and
 * clock offset of its receiver, and may be dropped. No two receptions have equal coordinates.
 */
import type { Reception } from '@posrep/air/correlation'
import type { StandardPosition } from '@posrep/air/standard'
import { createRandom, type Random } from './random.ts'
import type { Recorded } from './recordings.ts'

export interface Receiver {
  name: string
  /** Share of the positions that it does not hear. */
  dropShare: number
  /**
   * Share of the receptions without identifiers; half of them are without the receiver's own id for the target as well.
   */
  hiddenShare: number
  /** Stated; an accuracy that the recording states is used if it is larger. */
  accuracyMetres: number
  /** At least this time between positions of one target. */
  intervalMs: number
  hasVelocity: boolean
  /** A surveillance radar does not see targets on the ground. */
  isBlindOnGround?: boolean
}

export interface Heard {
  reception: Reception
  identity: string
  receiver: string
  isHidden: boolean
  /** Time of the recorded position. */
  trueMs: number
}

/** Circular error: 95 % are within 2.448 standard deviations per axis. */
const sigmasOfBound = 2.448
const maxOffsetSeconds = 1
const maxBiasMetres = 40
const velocitySigma = 1
const heightSigma = 8
const metresPerDegree = 111_195

export const threeReceiversAndARadar: Receiver[] = [
  { name: 'one', dropShare: 0.3, hiddenShare: 0.5, accuracyMetres: 40, intervalMs: 0, hasVelocity: true },
  { name: 'two', dropShare: 0.4, hiddenShare: 0.5, accuracyMetres: 60, intervalMs: 0, hasVelocity: true },
  { name: 'three', dropShare: 0.5, hiddenShare: 0.5, accuracyMetres: 100, intervalMs: 0, hasVelocity: false },
  {
    name: 'radar',
    dropShare: 0.1,
    hiddenShare: 1,
    accuracyMetres: 250,
    intervalMs: 4_000,
    hasVelocity: false,
    isBlindOnGround: true,
  },
]

/** Detectors and a radar: nothing tells targets apart but where they are. */
export const withoutIdentifiers: Receiver[] = [
  { name: 'detector one', dropShare: 0.2, hiddenShare: 1, accuracyMetres: 60, intervalMs: 0, hasVelocity: false },
  { name: 'detector two', dropShare: 0.3, hiddenShare: 1, accuracyMetres: 100, intervalMs: 0, hasVelocity: false },
  {
    name: 'radar',
    dropShare: 0.1,
    hiddenShare: 1,
    accuracyMetres: 250,
    intervalMs: 4_000,
    hasVelocity: false,
    isBlindOnGround: true,
  },
]

export function receive(recorded: readonly Recorded[], receivers: readonly Receiver[], seed: number): Heard[] {
  const random = createRandom(seed)
  const heard = receivers.flatMap((receiver) => receiveBy(recorded, receiver, random))
  return heard.sort((a, b) => a.reception.receivedAtMs - b.reception.receivedAtMs)
}

function receiveBy(recorded: readonly Recorded[], receiver: Receiver, random: Random): Heard[] {
  const { name, dropShare, hiddenShare, intervalMs } = receiver
  const symmetric = () => 2 * random.uniform() - 1
  const constant = {
    offsetMs: symmetric() * maxOffsetSeconds * 1_000,
    east: symmetric() * maxBiasMetres,
    north: symmetric() * maxBiasMetres,
  }
  const latencyMs = 200 + 800 * random.uniform()
  const latest = new Map<string, number>()
  const numbers = new Map<string, number>()
  const heard: Heard[] = []
  for (const { identity, position, receivers } of recorded) {
    if (receivers && !receivers.includes(name)) continue
    if (receiver.isBlindOnGround && position.onGround) continue
    const trueMs = position.timeMs
    if (random.uniform() < dropShare || trueMs - (latest.get(identity) ?? 0) < intervalMs) continue
    latest.set(identity, trueMs)
    if (!numbers.has(identity)) numbers.set(identity, numbers.size + 1)
    const isHidden = random.uniform() < hiddenShare
    const hasSourceId = !isHidden || random.uniform() < 0.5
    const perturbed = perturb(position, receiver, constant, random)
    perturbed.target = {
      identifiers: isHidden ? [] : position.target.identifiers,
      ...(hasSourceId && { sourceId: `${name}-${numbers.get(identity)}` }),
    }
    const receivedAtMs = Math.round(trueMs + latencyMs * (1 + random.uniform()))
    heard.push({
      reception: { deviceUrn: name, receivedAtMs, position: perturbed },
      identity,
      receiver: name,
      isHidden,
      trueMs,
    })
  }
  return heard
}

function perturb(
  position: StandardPosition,
  { accuracyMetres, hasVelocity }: Receiver,
  constant: { offsetMs: number; east: number; north: number },
  random: Random,
): StandardPosition {
  const stated =
    position.accuracy.provenance === 'given' ? Math.max(position.accuracy.metres, accuracyMetres) : accuracyMetres
  const sigma = stated / sigmasOfBound
  const east = constant.east + sigma * random.normal()
  const north = constant.north + sigma * random.normal()
  const { groundVelocity, ...rest } = position
  const perturbed: StandardPosition = {
    ...rest,
    timeMs: Math.round(position.timeMs + constant.offsetMs),
    latDegrees: position.latDegrees + north / metresPerDegree,
    lonDegrees: position.lonDegrees + east / (metresPerDegree * Math.cos(position.latDegrees * (Math.PI / 180))),
    accuracy: { metres: stated, provenance: 'given' },
    altitudes: position.altitudes.map((altitude) => ({
      ...altitude,
      heightMetres: altitude.heightMetres + heightSigma * random.normal(),
    })),
  }
  if (
    hasVelocity &&
    groundVelocity?.eastMetresPerSecond !== undefined &&
    groundVelocity.northMetresPerSecond !== undefined
  ) {
    perturbed.groundVelocity = {
      eastMetresPerSecond: groundVelocity.eastMetresPerSecond + velocitySigma * random.normal(),
      northMetresPerSecond: groundVelocity.northMetresPerSecond + velocitySigma * random.normal(),
    }
  }
  return perturbed
}
