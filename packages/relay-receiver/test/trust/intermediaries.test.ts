/**
 * What proxies and wrappers do to a message on its way. A valid signature decides; nothing here may make the service
 * set a message aside.
 */
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { type OnReport, relayReceiver } from '../../src/index.ts'
import { createTestSender } from '../../src/testing/testing.ts'
import { aReceiver, aReportMessage, aRequest } from '../builders.ts'

const sender = await createTestSender()
/** The service buries a message that is answered with one of these. */
const burying = [400, 413, 415, 422]

const changedHeaders: Record<string, (headers: Headers) => void> = {
  'another media type': (headers) => headers.set('content-type', 'text/plain'),
  'the media type of forms': (headers) => headers.set('content-type', 'application/x-www-form-urlencoded'),
  'another charset': (headers) => headers.set('content-type', 'application/json; charset=iso-8859-1'),
  'two media types': (headers) => headers.append('content-type', 'application/json'),
  'no media type': (headers) => headers.delete('content-type'),
  'a content-encoding that the body does not have': (headers) => headers.set('content-encoding', 'gzip'),
  'an unknown content-encoding': (headers) => headers.set('content-encoding', 'aws-chunked'),
  'a content-length that is too large': (headers) => headers.set('content-length', '99999999'),
  'two values of content-length': (headers) => headers.set('content-length', '5, 5'),
  'a transfer-encoding': (headers) => headers.set('transfer-encoding', 'chunked'),
  'each header twice': (headers) => {
    for (const [name, value] of [...headers]) headers.append(name, value)
  },
  'each header twice, joined without a space': (headers) => {
    for (const [name, value] of [...headers]) headers.set(name, `${value},${value}`)
  },
  'many headers of its own': (headers) => {
    for (let n = 0; n < 200; n++) headers.set(`x-proxy-${n}`, 'x'.repeat(100))
  },
}

for (const [change, apply] of Object.entries(changedHeaders)) {
  test(`a signed message with ${change} is accepted`, async () => {
    const onReport = vi.fn<OnReport>()
    const { fetch } = relayReceiver({ onReport, from: sender.keys, devices: [sender.device] })
    const { headers, body } = await sender.report()
    const changed = new Headers(headers)
    apply(changed)

    const response = await fetch(new Request('https://relay.example.net/', { method: 'POST', headers: changed, body }))

    expect(response.status).toBe(204)
    expect(onReport.mock.lastCall?.[1]).toMatchObject({ id: headers['webhook-id'], device: sender.device })
  })
}

const changedMessages: Record<string, (message: { headers: Headers; body: Uint8Array<ArrayBuffer> }) => unknown> = {
  'a compressed body': (message) => {
    message.headers.set('content-encoding', 'gzip')
    message.body = new Uint8Array(gzipSync(message.body))
  },
  'a compressed body that no header names': (message) => {
    message.body = new Uint8Array(gzipSync(message.body))
  },
  'a line break after the body': (message) => {
    message.body = new Uint8Array([...message.body, 10])
  },
  'a byte order mark before the body': (message) => {
    message.body = new Uint8Array([0xef, 0xbb, 0xbf, ...message.body])
  },
  'an empty body': (message) => {
    message.body = new Uint8Array()
  },
  'half of the body': (message) => {
    message.body = message.body.slice(0, 50)
  },
  'no webhook-id': ({ headers }) => headers.delete('webhook-id'),
  'no webhook-timestamp': ({ headers }) => headers.delete('webhook-timestamp'),
  'no webhook-signature': ({ headers }) => headers.delete('webhook-signature'),
  'two webhook-ids that differ': ({ headers }) => headers.append('webhook-id', 'other'),
}

for (const [change, apply] of Object.entries(changedMessages)) {
  test(`a message with ${change} is refused so that the service sends it again`, async () => {
    const onReport = vi.fn<OnReport>()
    const { fetch } = relayReceiver({ onReport, from: sender.keys, devices: [sender.device] })
    const { headers, body } = await sender.report()
    const message = { headers: new Headers(headers), body: new TextEncoder().encode(body) }
    apply(message)

    const { status } = await fetch(new Request('https://relay.example.net/', { method: 'POST', ...message }))

    expect(status).toBe(401)
    expect(burying).not.toContain(status)
    expect(onReport).not.toHaveBeenCalled()
  })
}

test.each([
  ['content-type', 'text/plain'],
  ['content-type', ''],
  ['content-encoding', 'gzip'],
])('without signatures, a message with %s "%s" is refused so that the service sends it again', async (name, value) => {
  const { status } = await aReceiver()(aRequest({ headers: { [name]: value }, body: JSON.stringify(aReportMessage()) }))

  expect(status).toBe(403)
})
