/** A receiver that accepts messages of certain devices only. */
import { expect, test, vi } from 'vitest'
import { relayReceiver } from '../../src/index.ts'
import { anId, aReceiver, aReportMessage, aRequest, aSigningKey, nowMs, validationCode } from '../builders.ts'

const roof1 = 'urn:aa:device:acme:roof1'

test('a report of another device is answered with 403 before onReport', async () => {
  const onReport = vi.fn()
  const receive = aReceiver({ onReport, devices: [roof1] })

  const response = await receive(aRequest({ headers: { 'webhook-id': 'urn:aa:device:mallory:roof1/msg_1' } }))

  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({
    code: 'unexpected_device',
    detail: 'This address takes no messages of urn:aa:device:mallory:roof1',
  })
  expect(onReport).not.toHaveBeenCalled()
})

test('a validation for another device is answered with 403 and without the code', async () => {
  const receive = aReceiver({ onReport: vi.fn(), devices: [roof1] })
  const body = JSON.stringify({ name: 'validate', version: '1.0', validationCode })

  const response = await receive(aRequest({ body, headers: { 'webhook-id': 'urn:aa:device:mallory:roof1/msg_1' } }))

  expect(response.status).toBe(403)
  expect(await response.text()).not.toContain(validationCode)
})

test('a report of a pinned device, or of a pinned client part, is accepted', async () => {
  for (const pinning of [{ devices: [roof1] }, { clientParts: ['acme'] }]) {
    const receive = aReceiver({ onReport: vi.fn(), ...pinning })
    expect((await receive(aRequest({ headers: { 'webhook-id': anId('roof1', 'msg_1') } }))).status).toBe(204)
  }
})

test('an empty list of devices or client parts is refused at creation', () => {
  expect(() => aReceiver({ devices: [] })).toThrow('"devices" must name at least one')
  expect(() => aReceiver({ devices: [], clientParts: ['acme'] })).toThrow('"devices" must name at least one')
  expect(() => aReceiver({ clientParts: [] })).toThrow('"clientParts" must name at least one')
})

test('a message whose ID names no device is answered with 403 when devices are pinned', async () => {
  const receive = aReceiver({ onReport: vi.fn(), devices: [roof1] })
  for (const id of [
    'msg_1',
    '/msg_1',
    'urn:aa:device:acme:roof1',
    'urn:aa:device:acme:roof1/',
    '%FF/msg_1',
    `${roof1}/a/b`,
  ]) {
    expect((await receive(aRequest({ headers: { 'webhook-id': id } }))).status, id).toBe(403)
  }
})

test('characters of a local ID that are percent-encoded in the ID are decoded', async () => {
  const onReport = vi.fn()
  const receive = aReceiver({ onReport, devices: ['urn:aa:device:acme:imei:35_9.1'] })
  await receive(aRequest({ headers: { 'webhook-id': 'urn:aa:device:acme:imei:35%5F9%2E1/msg_1' } }))
  expect(onReport.mock.lastCall?.[1].device).toBe('urn:aa:device:acme:imei:35_9.1')
})

test('the signature covers the device: a signed message whose ID was changed to a pinned device is answered with 401', async () => {
  const key = await aSigningKey()
  const clock = { now: () => nowMs, sleep: () => new Promise<void>(() => {}) }
  const receive = relayReceiver({ onReport: vi.fn(), from: { keys: [key.jwk] }, clock, devices: [roof1] }).fetch
  const body = JSON.stringify(aReportMessage())
  const headers = await key.sign(body, { id: 'urn:aa:device:mallory:roof1/msg_1' })

  expect((await receive(aRequest({ body, headers }))).status).toBe(403)
  const forged = { ...headers, 'webhook-id': anId('roof1', 'msg_1') }
  expect((await receive(aRequest({ body, headers: forged }))).status).toBe(401)
})

test('a pin that is not a URN or a client part throws at creation, and the message contains it', () => {
  expect(() => aReceiver({ onReport: vi.fn(), devices: ['roof1'] })).toThrow(/roof1/)
  expect(() => aReceiver({ onReport: vi.fn(), clientParts: ['a:b'] })).toThrow(/a:b/)
})
