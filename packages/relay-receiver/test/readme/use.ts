import { relayReceiver } from '@posrep/relay-receiver/express'
import express from 'express'

const receiver = relayReceiver({
  from: 'https://localhost:8443', // the service's issuer, {auth_url}
  devices: ['urn:aa:device:demo:roof1'],
  onReport({ positions }, { device }) {
    for (const { target, position } of positions) console.log(device, target?.ids, position.lat, position.lon)
  },
})

// Mount it before any body parser: signatures cover the raw bytes.
export const app = express().use('/position-reports', receiver)
export const server = app.listen(Number(process.env.PORT ?? 8080))
