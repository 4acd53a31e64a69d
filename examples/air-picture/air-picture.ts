/**
 * The air picture in a terminal: says which targets several sensors see, why they are one, and what conflicts are
 * ahead. Not for navigation.
 * In: POSREP_ORIGIN, and BBOX if not everything is wanted. Out: lines, until the program is stopped.
 */
import { createPosrep, memoryTokenStore } from '@posrep/client-sdk'
import { type AirTrack, createAir, followAir } from '@posrep/client-sdk/air'
import { signIn } from './sign-in.ts'

const { POSREP_ORIGIN: origin = 'https://localhost:8443', BBOX: bbox } = process.env
const redirectUri = 'http://127.0.0.1:8765/callback'
const posrep = createPosrep({ origin, clientId: 'demo-cli', redirectUri, tokenStore: memoryTokenStore() })
const air = createAir(posrep)

await signIn(posrep, redirectUri)
console.log('Not for navigation.')
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())
/** The number of sensors that was last said, by track. */
const said = new Map<string, number>()
const alerted = new Set<string>()

for await (const { tracks, alerts, frame } of followAir(posrep, { bbox, signal: stopping.signal })) {
  for (const track of frame.tracks) await sayMoreSensors(track)
  for (const id of frame.ended) said.delete(id)
  for (const { id, text, conflict } of alerts.values()) {
    if (!conflict?.tracks.some(({ trackId }) => tracks.has(trackId)) || alerted.has(id)) continue
    alerted.add(id)
    console.log(`CONFLICT ${text}`)
    for (const { text: advice } of conflict.advice.slice(0, 1)) console.log(`  ${advice}`)
  }
}

async function sayMoreSensors(track: AirTrack): Promise<void> {
  const { id, sensors } = track
  if (sensors.length <= (said.get(id) ?? 1)) return
  said.set(id, sensors.length)
  const { associations } = await air.getAirTrack(id, { signal: stopping.signal })
  const names = sensors.map(({ deviceId }) => deviceId.split(':').at(-1)).sort()
  console.log(`ONE TARGET ${nameOf(track)}: ${names.join(', ')}`)
  for (const { text } of associations.slice(0, 1)) console.log(`  ${text}`)
}

function nameOf({ id, identifiers }: AirTrack): string {
  const name = identifiers.find(({ type }) => type === 'CallSign') ?? identifiers[0]
  return name?.id ?? id
}
