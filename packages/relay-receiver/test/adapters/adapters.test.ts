/** Each adapter and recipe, with each body parser, gets each kind of message. */
import type { PositionReport, Problem } from '@posrep/spec'
import express from 'express'
import { expect, test, vi } from 'vitest'
import { relayReceiver } from '../../src/adapters/express.ts'
import type { ReceiverOptions } from '../../src/index.ts'
import { createTestSender, type TestMessage } from '../../src/testing/testing.ts'
import { aReport, validationCode } from '../builders.ts'
import { aServer } from './a-server.ts'
import { consumed, path, working } from './an-adapter.ts'

const sender = await createTestSender()
const trust = { from: sender.keys, devices: [sender.device] }

for (const [name, adapter] of Object.entries(working)) {
  const aRelay = async (options: Partial<Pick<ReceiverOptions, 'onReport' | 'maxBodyBytes'>> = {}) => {
    const origin = await aServer(await adapter({ onReport: () => {}, onError: () => {}, ...options, ...trust }))
    return (message: TestMessage) => post(`${origin}${path}`, message)
  }

  test(`${name}: a validation message is answered with its code as text`, async () => {
    const send = await aRelay()

    const response = await send(await sender.validation(validationCode))

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(validationCode)
  })

  test(`${name}: a signed report of any size arrives complete, once, and is answered with 204`, async () => {
    const received: PositionReport[] = []
    const send = await aRelay({ onReport: (report) => void received.push(report) })
    const report = aReport({ sensor: { id: 'roof1', additionalInfo: { text: 'ä€😀'.repeat(5_000) } } })
    const message = await sender.report(report)

    expect((await send(message)).status).toBe(204)
    expect((await send(await sender.repeat(message))).status).toBe(204)

    expect(received).toEqual([report])
  })

  test(`${name}: messages that are altered, unsigned, forged, late or not valid are refused`, async () => {
    const onReport = vi.fn()
    const send = await aRelay({ onReport })
    const message = await sender.report()
    const refused = {
      altered: [401, sender.altered(message)],
      unsigned: [401, sender.unsigned(message)],
      forged: [401, await sender.forged(message)],
      late: [401, await sender.late(message)],
      'not a message': [400, await sender.sign('{"name":"position_report","version":"1.0"}')],
    } as const

    for (const [what, [status, broken]] of Object.entries(refused)) {
      expect((await send(broken)).status, what).toBe(status)
    }
    expect(onReport).not.toHaveBeenCalled()
  })
}

for (const [name, adapter] of Object.entries(consumed)) {
  test(`${name}: a message is answered with an error that says how to mount the receiver, and onError gets it`, async () => {
    const onError = vi.fn()
    const onReport = vi.fn()
    const origin = await aServer(await adapter({ onReport, onError, ...trust }))

    for (const message of [await sender.report(), await sender.validation()]) {
      const response = await post(`${origin}${path}`, message)
      const problem: Problem = await response.json()
      expect(response.status).toBe(500)
      expect(problem.code).toBe('body_already_read')
      expect(problem.detail).toMatch(/mount the receiver before the body parser|before anything reads it/)
    }
    expect(onError).toHaveBeenCalledTimes(2)
    expect(onReport).not.toHaveBeenCalled()
  })
}

test('an empty body that a parser has read is an error, and not a wait for more', async () => {
  const listener = express()
    .use(express.json())
    .use(path, relayReceiver({ onReport: () => {}, onError: () => {}, ...trust }))
  const message = { ...(await sender.report()), body: '' }

  expect((await post(`${await aServer(listener)}${path}`, message)).status).toBe(500)
})

function post(url: string, { headers, body }: TestMessage): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body })
}
