/** An API that answers at once, for measuring clients: a list of ten devices, and a device for every other request. */
import http from 'node:http'
import type { Device } from '@posrep/spec'
import { tellReady } from './tell-ready.ts'

const devices = Array.from({ length: 10 }, (_, n): Device => {
  const deviceId = `urn:aa:device:acme:roof${n}`
  return {
    deviceId,
    deviceCreationTimestamp: '2026-01-02T08:00:00.000Z',
    deviceName: `Roof ${n}`,
    positionReportMetrics: [],
    relayDetails: null,
    shouldStorePositionReportMetrics: true,
  }
})
const list = JSON.stringify({ data: devices })
const one = JSON.stringify(devices[0])

const server = http.createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const body = request.url === '/v1/devices' ? list : one
    const length = Buffer.byteLength(body)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => tellReady(server))
