/** Relays that misbehave: each one affects only its own device. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildConnector } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DevelopmentCertificate } from '../../../src/adapters/development-certificate.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createRelayPools } from '../../../src/relays/sender/relay-pools.ts'
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
  return validateRelay(relay.url, send)
}

const codeOf = (body: string): string => JSON.parse(body).validationCode

describe('a relay is not validated by', () => {
  const withoutCode = 'The relay answered the validation without the validation code'

  test.each<[string, Answer, string]>([
    ['the code in a header only', (_, response, body) => response.setHeader('x-code', codeOf(body)).end(), withoutCode],
    ['an echo of all it got', (_, response, body) => response.end(body), withoutCode],
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
      'The relay answered the validation with 307',
    ],
    [
      'a page that redirects',
      (_, response) => response.end('<meta http-equiv="refresh" content="0; url=https://x/">'),
      withoutCode,
    ],
    [
      'a redirect without Location',
      (_, response) => response.writeHead(302).end(),
      'The relay answered the validation with 302',
    ],
  ])('%s', async (_what, answer, reason) => {
    expect(await validated(answer)).toBe(reason)
  })

  test('the code of another validation that runs at the same time', async () => {
    const codes: string[] = []
    const answers: (() => void)[] = []
    const swap: Answer = (_request, response, body) => {
      const place = codes.push(codeOf(body)) - 1
      answers.push(() => response.end(codes[1 - place]))
      if (answers.length === 2) for (const answer of answers) answer()
    }
    const relay = await aRelay(certificate, swap)
    const connection = aConnection({ extraCa: certificate.ca })
    const send = createSendRelayMessage({ connection, clock: createManualClock(), sign })
    const both = await Promise.all([validateRelay(relay.url, send), validateRelay(relay.url, send)])
    expect(both).toEqual([withoutCode, withoutCode])
  })
})

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['103s', (response) => response.writeEarlyHints({ link: '</x>; rel=preload' }), /did not answer in time$/],
  // The request did not ask for one.
  ['100s', (response) => response.writeContinue(), /did not answer in time$|could not be reached$/],
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
    /^The relay (could not be reached|did not answer in time)$/,
  )
})

test('an expired certificate is refused', async () => {
  const past = createManualClock(Date.now() - 3 * 365 * 24 * 3_600_000)
  const expired = await aCertificate(['relay.test'], past)
  const relay = await aRelay(expired)
  const posting = aConnection({ extraCa: expired.ca }).post(relay.url, { body: '', headers: {} })
  await expect(posting).rejects.toMatchObject({ code: 'certificate_refused' })
})

/** `pnpm soak --certificates N` sets a higher number. */
const certificates = Number(process.env.SOAK_CERTIFICATES ?? 500)

test(
  'refused certificates leak no connections and no memory',
  async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const relay = await aRelay(certificate)
    const connection = aConnection()
    const refuse = async (times: number) => {
      for (let n = 0; n < times; n += 10) {
        const posts = Array.from({ length: 10 }, () =>
          connection.post(relay.url, { body: '{}', headers: {} }).catch(({ code }) => code),
        )
        expect(new Set(await Promise.all(posts))).toEqual(new Set(['certificate_refused']))
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = await refuse(100)
    const after = await refuse(certificates)

    expect(after - before).toBeLessThan(2 * 1024 * 1024)
    expect(process.getActiveResourcesInfo().filter((name) => name.startsWith('TLS')).length).toBeLessThan(25)
    expect(relay.requests).toEqual([])
  },
  30_000 + certificates * 60,
)

test('thousands of relays do not keep a connection each, and connections in use stay', async () => {
  const pools = createRelayPools({ connect: buildConnector({}), maxIdle: 100 })
  const busy = pools.take('https://busy.example')
  for (let n = 0; n < 3_000; n++) pools.putBack(pools.take(`https://relay${n}.example`))
  expect(pools.size()).toBe(101)
  expect(pools.take('https://relay2999.example')).not.toBe(pools.take('https://relay2999.example'))

  pools.putBack(busy)
  expect(pools.take('https://busy.example')).toBe(busy)
  await pools.close()
  expect(pools.size()).toBe(0)
})
