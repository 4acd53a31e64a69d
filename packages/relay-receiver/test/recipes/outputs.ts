import { eventStream } from '@posrep/relay-receiver/event-stream'
import { relayReceiver } from '@posrep/relay-receiver/express'
import { latestPositions } from '@posrep/relay-receiver/latest-positions'
import { ndjsonRecorder } from '@posrep/relay-receiver/ndjson-recorder'
import { toNodeListener } from '@posrep/relay-receiver/node'
import express from 'express'

const latest = latestPositions({ maxAgeMs: 60_000 })
const recorder = ndjsonRecorder({ file: 'reports.ndjson', maxBytes: 100 * 1024 * 1024, maxFiles: 10 })
const live = eventStream()

const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  async onReport(report, delivery) {
    await recorder.record(report, delivery) // on disk before the service is told so
    latest.record(report, delivery)
    live.publish(report, delivery)
  },
})

export const app = express()
  .use('/position-reports', receiver)
  .get('/positions', (_request, response) => void response.json(latest.list()))
  .get('/live', toNodeListener(live.fetch))
