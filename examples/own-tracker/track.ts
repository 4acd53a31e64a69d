/** Tracks what two receivers hear, and prints it for tar1090, a TAK server and people. Run it with Node. */
import { createTracker } from '@posrep/air'
import { toCursorOnTarget, toGeoJson, toReadsb } from '@posrep/air/formats'
import { hear, timeAt } from './traffic.ts'

const seconds = 60
const tracker = createTracker()
for (let second = 0; second < seconds; second++) {
  for (const { report, receivedAtMs } of hear(second)) tracker.add(report, receivedAtMs)
  tracker.advance(timeAt(second + 1))
}
const tracks = tracker.tracks()
const timeMs = tracker.timeMs()
const print = (name: string, value: unknown) => console.log(JSON.stringify({ [name]: value }))

print('tracks', tracks)
print('alerts', tracker.alerts())
print('readsb', toReadsb(tracks, { timeMs }))
print('geoJson', toGeoJson(tracks, { timeMs }))
print(
  'cursorOnTarget',
  tracks.map((track) => toCursorOnTarget(track, { timeMs, namespace: 'example' })),
)
