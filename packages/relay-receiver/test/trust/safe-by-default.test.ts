/** What a receiver refuses to be created with, and when it answers validation messages. */
import { expect, test, vi } from 'vitest'
import { relayReceiver } from '../../src/index.ts'
import { createTestSender, toRequest } from '../../src/testing/testing.ts'
import { aReceiver, aRequest, aValidationRequest, fakeClock, validationCode } from '../builders.ts'

const onReport = () => {}
// For callers without TypeScript.
const create = (options: object) => () => relayReceiver({ onReport, ...options } as never)

test('a receiver without "from" can only be created with acceptUnsigned: true', () => {
  expect(create({})).toThrow('needs acceptUnsigned: true')
  expect(create({ from: undefined, devices: 'all' })).toThrow('"from" must be the service\'s issuer')
  expect(create({ acceptUnsigned: 'yes' })).toThrow('"from" must be')
  expect(create({ acceptUnsigned: true })).not.toThrow()
})

test('"from" and acceptUnsigned: true exclude each other', () => {
  expect(create({ from: 'https://auth.example.net', devices: 'all', acceptUnsigned: true })).toThrow(
    'exclude each other',
  )
})

test('a receiver with "from" must say whose messages it accepts', () => {
  expect(create({ from: 'https://auth.example.net' })).toThrow('"devices" or "clientParts" must name')
  expect(create({ from: 'https://auth.example.net', devices: 'roof1' })).toThrow(
    '"devices" must be a list, got "roof1"',
  )
  expect(create({ from: 'https://auth.example.net', devices: 'all' })).not.toThrow()
  expect(create({ from: 'https://auth.example.net', clientParts: ['acme'] })).not.toThrow()
})

test('a wrong option throws at creation, and the message contains the value', () => {
  const unsigned = (options: object) => create({ acceptUnsigned: true, ...options })
  expect(unsigned({ onReport: 'later' })).toThrow('"onReport" must be a function, got later')
  expect(unsigned({ maxBodyBytes: 0 })).toThrow('"maxBodyBytes" must be a whole number of at least 1, got 0')
  expect(unsigned({ deadlineMs: Number.NaN })).toThrow('"deadlineMs"')
  expect(unsigned({ maxConcurrent: 0.5 })).toThrow('"maxConcurrent"')
  expect(unsigned({ maxBufferedBytes: 10, maxBodyBytes: 11 })).toThrow(
    '"maxBufferedBytes" must be a whole number of at least 11',
  )
  expect(unsigned({ onReportTimeoutMs: 8_999 })).toThrow('"onReportTimeoutMs" must be a whole number of at least 9000')
  expect(unsigned({ validations: 'never' })).toThrow('"validations" must be "always" or "expected", got "never"')
  expect(unsigned({ validationAnswer: 'xml' })).toThrow('"validationAnswer" must be "text" or "json", got "xml"')
})

test('with acceptUnsigned anyone can send reports and validations', async () => {
  const taken = vi.fn()
  const receive = aReceiver({ onReport: taken })

  expect((await receive(aRequest())).status).toBe(204)
  expect((await receive(aValidationRequest())).status).toBe(200)
  expect(taken.mock.lastCall?.[1].verified).toBe(false)
})

test('with validations "expected" a validation message is answered only while one is expected', async () => {
  const clock = fakeClock()
  const receiver = relayReceiver({ onReport, acceptUnsigned: true, validations: 'expected', clock })

  const unexpected = await receiver.fetch(aValidationRequest())
  expect(unexpected.status).toBe(403)
  expect(await unexpected.text()).not.toContain(validationCode)
  expect((await receiver.fetch(aRequest())).status).toBe(204)

  receiver.expectValidation({ withinMs: 60_000 })
  await clock.advance(60_000)
  expect((await receiver.fetch(aValidationRequest())).status).toBe(200)
  await clock.advance(1)
  expect((await receiver.fetch(aValidationRequest())).status).toBe(403)
})

test('a shorter expectation does not end a longer one, and a time that is not over 0 is refused', async () => {
  const clock = fakeClock()
  const receiver = relayReceiver({ onReport, acceptUnsigned: true, validations: 'expected', clock })
  receiver.expectValidation({ withinMs: 60_000 })
  receiver.expectValidation({ withinMs: 1 })
  await clock.advance(30_000)

  expect((await receiver.fetch(aValidationRequest())).status).toBe(200)
  expect(() => receiver.expectValidation({ withinMs: Number.NaN })).toThrow('"withinMs" must be over 0, got NaN')
})

test('the answer to a validation is text by default, and JSON or any response on request', async () => {
  const answerOf = async (options: Parameters<typeof aReceiver>[0]) => {
    const response = await aReceiver(options)(aValidationRequest())
    return [response.status, response.headers.get('content-type'), await response.text()]
  }

  expect(await answerOf({})).toEqual([200, 'text/plain; charset=utf-8', validationCode])
  expect(await answerOf({ validationAnswer: 'json' })).toEqual([
    200,
    'application/json',
    JSON.stringify({ validationCode }),
  ])
  const custom = (code: string) =>
    new Response(` ${code}\n`, { status: 201, headers: { 'content-type': 'text/x-own' } })
  expect(await answerOf({ validationAnswer: custom })).toEqual([201, 'text/x-own', ` ${validationCode}\n`])
})

test('the body of a message without a fresh timestamp and a signature is not read', async () => {
  const sender = await createTestSender()
  const receiver = relayReceiver({ onReport, from: sender.keys, devices: [sender.device] })
  for (const message of [await sender.late(await sender.report()), sender.unsigned(await sender.report())]) {
    const request = toRequest(message)

    expect((await receiver.fetch(request)).status).toBe(401)
    expect(request.bodyUsed).toBe(false)
  }
})
