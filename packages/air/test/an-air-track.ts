/**
 * Tracks, alerts and sensors as the document writes them, for tests of what reads them. In: what differs from its
 * examples.
 */
import { readFileSync } from 'node:fs'
import type { AirAlert, AirSensor, AirTrack } from '@posrep/spec'

export function aTrack(differences: Partial<AirTrack> = {}): AirTrack {
  return { ...example('AirTrack'), ...differences }
}

export function aTrackAt(id: string, lat: number, lon: number): AirTrack {
  return aTrack({ id, position: { lat, lon, accuracy: 10 } })
}

export function anAlert(differences: Partial<AirAlert> = {}): AirAlert {
  return { ...example('AirAlert'), ...differences }
}

export function aSensor(differences: Partial<AirSensor> = {}): AirSensor {
  return { ...example('AirSensor'), ...differences }
}

const texts = new Map<string, string>()

function example(schema: string) {
  const file = new URL(`../../../openapi/examples/${schema}.json`, import.meta.url)
  const text = texts.get(schema) ?? readFileSync(file, 'utf8')
  texts.set(schema, text)
  return JSON.parse(text)
}
