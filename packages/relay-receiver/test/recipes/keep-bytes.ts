import { relayReceiver } from '@posrep/relay-receiver/express'
import express from 'express'

const receiver = relayReceiver({ from: 'https://localhost:8443', clientParts: ['demo'], onReport: () => {} })

export const app = express()
  .use(express.json({ verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }) }))
  .use('/position-reports', receiver)
