/** The sensors of the demo that report: where they stand, and what each of them notices of a recorded position. */
import type { PositionData, SensorState } from '@posrep/spec'
import { metresBetween, move, type Place } from './place.ts'

export interface DemoSensor extends SensorState {
  /** What the sensor reports of the position that was received from an aircraft; undefined if it does not notice it. */
  notice(position: PositionData): PositionData | undefined
}

const roofPlace: Place = { lat: 60.32, lon: 24.83 }
const mastPlace: Place = { lat: 60.24, lon: 25.1 }
/** Beside the airport; the staged drone and the light aircraft fly around here. */
export const radarPlace: Place = { lat: 60.335, lon: 24.9 }

/** An ADS-B receiver with a free view: it has the whole recording. */
export const roof: DemoSensor = { ...standing('roof1', roofPlace, 60), notice: (position) => position }

const mastRangeMetres = 80_000
const mastLoss = 1 / 3

/** An ADS-B receiver that is lower: it receives the same transmissions, but only near ones and not all of them. */
export const mast: DemoSensor = {
  ...standing('mast2', mastPlace, 40),
  notice(position) {
    if (metresBetween(position.position, mastPlace) > mastRangeMetres || Math.random() < mastLoss) return undefined
    return { ...position, id: `mast2-${position.id}` }
  },
}

const radarRangeMetres = 15_000
const radarAccuracyMetres = 40

/** A radar: it measures where something is and how fast it moves, but not what it is. */
export const radar: DemoSensor = {
  ...standing('radar1', radarPlace, 50),
  notice({ id, sourceTimeStamp, target, position, altitudes = [], groundVelocity, onGround }) {
    if (onGround === true || metresBetween(position, radarPlace) > radarRangeMetres) return undefined
    const { number, firstMs } = findPlot(target?.ids?.[0]?.id ?? target?.sourceId ?? '', sourceTimeStamp, passOf(id))
    if (Date.parse(sourceTimeStamp) - firstMs < confirmedAfterMs) return undefined
    return {
      id: `radar1-${id}`,
      sourceTimeStamp,
      target: { sourceId: number },
      position: {
        ...move(position, noise(radarAccuracyMetres), noise(radarAccuracyMetres)),
        accuracy: radarAccuracyMetres,
      },
      altitudes,
      ...(groundVelocity && { groundVelocity }),
    }
  },
}

/** A radar reports a target when it has seen it several times. */
const confirmedAfterMs = 5_000

interface Plot {
  number: string
  firstMs: number
}

const plots = new Map<string, Plot>()
let plotsBeganMs = 0

/**
 * The radar's own number of a target: it stays the same while the radar follows the target, and says nothing else. Each
 * pass of the recording has other numbers: its first one is the second of its start, and no pass has as many targets as
 * seconds.
 */
function findPlot(target: string, seenAt: string, passStartMs: number): Plot {
  if (passStartMs !== plotsBeganMs) plots.clear()
  plotsBeganMs = passStartMs
  const number = String((Math.floor(passStartMs / 1_000) % 10_000) + plots.size)
  const plot = plots.get(target) ?? { number, firstMs: Date.parse(seenAt) }
  plots.set(target, plot)
  return plot
}

/** When the pass began. `replay()` ends each id with it. */
function passOf(id: string): number {
  return Number.parseInt(id.slice(id.lastIndexOf('.') + 1), 36)
}

/** Normally distributed around 0 (Box and Muller). */
function noise(standardDeviation: number): number {
  return standardDeviation * Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}

function standing(id: string, place: Place, heightMetres: number): SensorState {
  return { id, sensorPosition: { geographicPosition: place, altitude: { height: heightMetres, datum: 'msl' } } }
}
