import { createTracker } from '@posrep/air'
import { toReadsb } from '@posrep/air/formats'

const tracker = createTracker()
const now = Date.now()
const at = (lat: number, lon: number) => ({
  id: `${lat},${lon}`,
  sourceTimeStamp: new Date(now).toISOString(),
  target: { ids: [{ id: '461F9C', type: 'ICAO' }] },
  position: { lat, lon },
})

// Two sensors report the same aircraft: it is one track.
tracker.add({ sensor: { id: 'roof' }, positions: [at(60.3172, 24.9633)] }, now)
tracker.add({ sensor: { id: 'hill' }, positions: [at(60.3171, 24.9634)] }, now + 200)
tracker.advance(now + 1_000)

export const tracks = tracker.tracks()
export const { aircraft } = toReadsb(tracks, { timeMs: tracker.timeMs() })
console.log(tracks, tracker.alerts(), aircraft)
