/**
 * A relay with Express: records every report in a file, and shows the latest position of each target.
 * In: ISSUER, DEVICE, PORT and RECORD from the environment. Out: GET /positions.
 */
import { relayReceiver } from '@posrep/relay-receiver/express'
import { latestPositions } from '@posrep/relay-receiver/latest-positions'
import { ndjsonRecorder } from '@posrep/relay-receiver/ndjson-recorder'
import express from 'express'

const latest = latestPositions()
const recorder = ndjsonRecorder({ file: process.env.RECORD ?? 'reports.ndjson' })

const receiver = relayReceiver({
  from: process.env.ISSUER ?? 'https://localhost:8443',
  devices: [process.env.DEVICE ?? 'urn:aa:device:demo:roof1'],
  async onReport(report, delivery) {
    await recorder.record(report, delivery)
    latest.record(report, delivery)
  },
  onAnswer: ({ status, code = '', name, device }) => console.log(status, code, name, device),
})

const app = express()
app.use('/position-reports', receiver)
app.get('/positions', (_request, response) => {
  response.json(latest.list())
})
app.listen(Number(process.env.PORT ?? 8080), () => console.log('listening'))
