/** Answers to a validation that do not show consent, over a real connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DevelopmentCertificate } from '../../../src/adapters/development-certificate.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createSendRelayMessage } from '../../../src/relays/sender/send-relay-message.ts'
import { validateRelay } from '../../../src/relays/update/validate-relay.ts'
import { aCertificate, aConnection, aRelay } from '../a-relay.ts'

let certificate: DevelopmentCertificate
beforeAll(async () => {
  certificate = await aCertificate()
})

const sign = async () => Buffer.from('x')

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

async function validated(answer: Answer, { deadlineMs = 10_000 } = {}): Promise<string | undefined> {
  const relay = await aRelay(certificate, answer)
  const connection = aConnection({ extraCa: certificate.ca, deadlineMs })
  const send = createSendRelayMessage({ connection, clock: createManualClock(), sign })
  return validateRelay(relay.url, 'urn:aa:device:acme:roof1', send)
}

const codeOf = (body: string): string => JSON.parse(body).validationCode

describe('a relay is not validated by', () => {
  const withoutCode = 'The relay answered the validation without the validation code'

  test.each<[string, Answer, string]>([
    ['the code in a header only', (_, response, body) => response.setHeader('x-code', codeOf(body)).end(), withoutCode],
    ['the whole message', (_, response, body) => response.end(body), withoutCode],
    [
      '10 MB that begin with the code',
      (_, response, body) => response.end(codeOf(body).padEnd(10_000_000)),
      withoutCode,
    ],
    ['the code after 10 MB', (_, response, body) => response.end(codeOf(body).padStart(10_000_000)), withoutCode],
    ['a 201 with no body', (_, response) => response.writeHead(201).end(), withoutCode],
    [
      'a redirect to where the code would be',
      (_, response, body) =>
        response.writeHead(307, { location: `https://relay.test/${codeOf(body)}` }).end(codeOf(body)),
      'The relay answered the validation with 307; redirects are not followed',
    ],
    [
      'a page that redirects',
      (_, response) => response.end('<meta http-equiv="refresh" content="0; url=https://x/">'),
      withoutCode,
    ],
    [
      'a redirect without Location',
      (_, response) => response.writeHead(302).end(),
      'The relay answered the validation with 302; redirects are not followed',
    ],
  ])('%s', async (_what, answer, reason) => {
    expect(await validated(answer)).toBe(reason)
  })

  test('the code of another validation that runs at the same time', async () => {
    const codes: string[] = []
    const answers: (() => void)[] = []
    const swap: Answer = (_request, response, body) => {
      const index = codes.push(codeOf(body)) - 1
      answers.push(() => response.end(codes[1 - index]))
      if (answers.length === 2) for (const answer of answers) answer()
    }
    const relay = await aRelay(certificate, swap)
    const connection = aConnection({ extraCa: certificate.ca })
    const send = createSendRelayMessage({ connection, clock: createManualClock(), sign })
    const both = await Promise.all([
      validateRelay(relay.url, 'urn:aa:device:acme:roof1', send),
      validateRelay(relay.url, 'urn:aa:device:acme:roof1', send),
    ])
    expect(both).toEqual([withoutCode, withoutCode])
  })
})

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  [
    '103s',
    (response) => response.writeEarlyHints({ link: '</x>; rel=preload' }),
    /did not answer in time$|could not be read$/,
  ],
  // The request did not ask for one.
  ['100s', (response) => response.writeContinue(), /did not answer in time$|could not be read$/],
])('a flood of %s is ended by the deadline at the latest', async (_kind, write, reason) => {
  const flood: Answer = (_request, response) => {
    const more = setInterval(() => write(response), 5)
    response.on('close', () => clearInterval(more))
  }
  expect(await validated(flood, { deadlineMs: 300 })).toMatch(reason)
})

test('endless headers end the attempt', async () => {
  const endless: Answer = (_request, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n')
    const more = setInterval(() => socket?.write(`x-${'y'.repeat(1_000)}: z\r\n`), 1)
    socket?.on('close', () => clearInterval(more)).on('error', () => clearInterval(more))
  }
  expect(await validated(endless, { deadlineMs: 2_000 })).toMatch(
    /^The (relay did not answer in time|answer of the relay could not be read)$/,
  )
})
