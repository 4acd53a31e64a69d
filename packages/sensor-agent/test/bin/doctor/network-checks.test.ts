import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../../../testing/real-time.ts'
import { checkNetwork } from '../../../src/bin/doctor/network-checks.ts'
import { systemFetch } from '../../../src/network/system-fetch.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const problem = (status: number, code: string) =>
  JSON.stringify({ type: `urn:problem:${code}`, title: code, status, code })

test.each([
  ['the refusal of a request without a token', 401, 'application/problem+json', problem(401, 'unauthenticated'), 'ok'],
  ['a 401 without a body, as other services give it', 401, '', '', 'ok'],
  ['a service that is busy', 503, 'text/html', '<html>', 'warning'],
  ['a page', 200, 'text/html', '<html>', 'failed'],
  ['a page that asks for a login', 401, 'text/html; charset=utf-8', '<html>', 'failed'],
  ['a redirect', 302, '', '', 'failed'],
  ['a service that has no such path', 404, 'application/problem+json', problem(404, 'not_found'), 'failed'],
])('%s: whether it is the service', async (_, status, type, body, result) => {
  const { checks, isAnswered } = await checkNetwork(
    await aTarget((_, response) => response.writeHead(status, type === '' ? {} : { 'content-type': type }).end(body)),
  )

  expect(checks.find(({ name }) => name === 'service')?.result).toBe(result)
  expect(isAnswered).toBe(true)
  // The time of something else says nothing.
  expect(checks.find(({ name }) => name === 'clock')?.result).toBe(result === 'failed' ? 'skipped' : 'ok')
})

test('a service that takes the request and does not answer has failed after 10 s', async () => {
  const clock = createManualClock()
  let asked = false
  const ended = checkNetwork(await aTarget(() => (asked = true)), clock)
  await until('the service is asked', () => asked)

  await clock.advance(10_000)

  const { checks, isAnswered } = await ended
  expect(isAnswered).toBe(false)
  expect(checks.slice(2)).toMatchObject([
    { name: 'service', result: 'failed', advice: 'the service does not answer; check that it runs' },
    { name: 'clock', result: 'skipped' },
  ])
})

async function aTarget(answer: RequestListener) {
  const server = createServer((request, response) => {
    // What arrived is read to its end.
    request.resume()
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  // A listening server has an address with a port.
  const ingestOrigin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return { ingestOrigin, ca: undefined, fetch: systemFetch }
}
