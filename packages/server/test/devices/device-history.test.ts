import type { Device, DeviceHistory, PairingRequest } from '@posrep/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceHistories } from '../../src/devices/device-history.ts'
import { aPosition, aReport } from '../a-report.ts'
import { aServer, rival, roof1, roof2, type ServerUnderTest } from '../a-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

async function historyOf(urn: string): Promise<DeviceHistory> {
  return (await (await server.get(`/v1/devices/${urn}/history`, await server.userToken())).json()) as DeviceHistory
}

test('the history of a device that was never used is empty', async () => {
  expect(await historyOf(roof2)).toEqual({ pairings: [], lastToken: null, lastRefusedReport: null })
})

test('a pairing is recorded with the caller and its software', async () => {
  const created = await server.post('/v1/pairing-requests', await server.userToken(), { deviceId: roof2 })
  expect(((await created.json()) as PairingRequest).state).toBe('pending')
  await server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof2', {
    method: 'POST',
    headers: { 'user-agent': 'posrep-agent/1.2.3' },
  })

  const { pairings, lastToken } = await historyOf(roof2)
  expect(pairings).toEqual([{ at: expect.any(String), address: '127.0.0.1', userAgent: 'posrep-agent/1.2.3' }])
  expect(lastToken).toEqual({ at: expect.any(String), grant: 'pairing' })
})

test('a refused report is recorded with its problem, and without its content', async () => {
  const positions = [aPosition({ id: 'secret-flight', position: { lat: 91, lon: 24 } })]
  await server.post('/v1/position-reports', await server.deviceToken(), aReport({ positions }))

  const history = await historyOf(roof1)
  expect(history.lastRefusedReport).toMatchObject({ status: 400, detail: expect.stringContaining('/position/lat') })
  expect(history.lastToken?.grant).toBe('client_credentials')
  expect(JSON.stringify(history)).not.toContain('secret-flight')
})

test('the history and the removal of a device are for its own account', async () => {
  const token = await server.userToken(rival)
  expect((await server.get(`/v1/devices/${roof1}/history`, token)).status).toBe(404)
  const init = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } }
  expect((await server.fetch(`/v1/devices/${roof1}`, init)).status).toBe(404)
})

test('a removed device is gone, and its token is refused', async () => {
  const token = await server.deviceToken()
  const init = { method: 'DELETE', headers: { authorization: `Bearer ${await server.userToken()}` } }
  expect((await server.fetch(`/v1/devices/${roof1}`, init)).status).toBe(204)

  expect((await server.get(`/v1/devices/${roof1}`, await server.userToken())).status).toBe(404)
  expect((await server.post('/v1/position-reports', token, aReport())).status).toBe(401)
})

test('the last report of a device is the time of its reception', async () => {
  const token = await server.deviceToken('fleet', 'roof2')
  const receivedAt = new Date(server.clock.now()).toISOString()
  await server.post('/v1/position-reports', token, aReport())
  await server.processed()
  const device = (await (await server.get(`/v1/devices/${roof2}`, await server.userToken())).json()) as Device
  expect(device.lastReportAt).toBe(receivedAt)
})

test('frequent refusals are recorded at intervals of 10 s, and of many pairings the last ten are kept', async () => {
  const clock = createManualClock()
  const histories = createDeviceHistories({ store: createMemoryStore({ clock }), clock, onError: () => {} })
  for (const detail of ['first', 'second']) histories.recordRefusal('urn:a', { status: 400, detail })
  await histories.idle()
  expect((await histories.read({ id: 'urn:a', createdAtMs: 0 })).lastRefusedReport?.detail).toBe('first')

  await clock.advance(10_000)
  histories.recordRefusal('urn:a', { status: 400, detail: 'third' })
  for (let n = 0; n < 12; n++) {
    histories.recordPairing('urn:a', { address: `192.0.2.${n}`, userAgent: null })
    await histories.idle()
  }
  const { lastRefusedReport, pairings } = await histories.read({ id: 'urn:a', createdAtMs: 0 })
  expect([lastRefusedReport?.detail, pairings.length, pairings[0]?.address]).toEqual(['third', 10, '192.0.2.11'])
  const later = await histories.read({ id: 'urn:a', createdAtMs: clock.now() + 1 })
  expect(later).toEqual({ pairings: [], lastToken: null, lastRefusedReport: null })
})
