import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { relayReceiver } from '@posrep/relay-receiver/node'

const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  onReport: (report) => console.log(report.positions.length),
})
const certificate = { cert: readFileSync('relay-cert.pem'), key: readFileSync('relay-key.pem') }

createServer(certificate, receiver).listen(8444)
