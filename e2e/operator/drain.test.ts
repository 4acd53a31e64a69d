/** SIGTERM: accepted reports are kept, requests in progress are answered, and the process ends. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { clientCredentials, createAgent } from '@posrep/sensor-agent'
import { expect, test } from 'vitest'
import { currentTimeMs, until } from '../../testing/real-time.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, fleet, seed } from '../parts/seed.ts'
import { aServerLocation, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

test('a relay that does not answer and a client that does not finish its request do not delay the shutdown', async () => {
  const location = await aServerLocation(seed)
  const flags = ['--seed', `${location.folder}/seed.json`, '--allow-private-relays', '--drain-notice-seconds', '1']
  const server = await startServer(location, ...flags)
  trust(server.certificate.ca)
  let hanging = 0
  const relay = https.createServer(server.certificate, (request, response) => {
    // It answers the validation, and no later message.
    request.on('data', (chunk) => {
      const { name, validationCode } = JSON.parse(String(chunk))
      if (name === 'validate') response.end(validationCode)
      else hanging++
    })
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = relay.address() as AddressInfo
  const client = await aUser(server)
  await client.updateRelay(deviceUrn, { url: `https://localhost:${port}/`, state: 'Active' })
  const origin = new URL(server.ready.origin)
  const tokens = clientCredentials({
    authOrigin: origin,
    clientId: fleet.id,
    clientSecret: fleet.secret,
    localId: 'roof1',
  })
  const agent = createAgent({ ingestOrigin: origin, sensor: 'roof1', tokens })
  await agent.report({
    id: '1',
    sourceTimeStamp: new Date(currentTimeMs()).toISOString(),
    position: { lat: 60.3, lon: 24.9 },
  })
  await agent.flush()
  await until('the relay has a delivery that it does not answer', () => hanging > 0)
  const unfinished = https.request(`${origin}v1/position-reports`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await tokens.get()}`,
      'content-type': 'application/json',
      'content-length': '1000',
    },
  })
  unfinished.on('error', () => {})
  unfinished.write('{"positions":[')

  const code = await server.stop()
  relay.close()
  relay.closeAllConnections()
  await agent.close({ drain: false })
  await location.remove()

  expect(code).toBe(0)
})

test('after SIGTERM /readyz is 503 on new and open connections while reports are still accepted; then no connection is accepted', async () => {
  const location = await aServerLocation()
  const server = await startServer(location, '--drain-notice-seconds', '15')
  trust(server.certificate.ca)
  const open = new https.Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string, agent: https.Agent | false) => answerOf(new URL(path, server.ready.origin), agent)
  expect(await ask('/readyz', open)).toMatchObject({ status: 200 })

  const stopped = server.stop()
  await until('/readyz is 503 on a new connection', async () => (await ask('/readyz', false)).status === 503)
  const onOpen = await ask('/readyz', open)
  const other = await ask('/healthz', false)
  await until(
    'no connection is accepted',
    async () => (await ask('/healthz', false).catch(() => undefined)) === undefined,
  )

  expect(onOpen).toEqual({ status: 503, connection: 'close', wasOpen: true })
  expect(other).toMatchObject({ status: 200, connection: 'close' })
  expect(await stopped).toBe(0)
  await location.remove()
})

test('a second SIGTERM ends the process at once, also during the notice', async () => {
  const location = await aServerLocation()
  const server = await startServer(location, '--drain-notice-seconds', '600')
  trust(server.certificate.ca)
  process.kill(server.ready.pid, 'SIGTERM')
  await until(
    '/readyz is 503',
    async () => (await answerOf(new URL('/readyz', server.ready.origin), false)).status === 503,
  )

  process.kill(server.ready.pid, 'SIGTERM')

  expect(await server.exited).toBe(1)
  await location.remove()
})

test('after SIGINT there is no delay for load balancers', async () => {
  const location = await aServerLocation()
  const server = await startServer(location, '--drain-notice-seconds', '600')

  process.kill(server.ready.pid, 'SIGINT')

  expect(await server.exited).toBe(0)
  await location.remove()
})

function answerOf(url: URL, agent: https.Agent | false) {
  return new Promise<{ status: number; connection: string | undefined; wasOpen: boolean }>((resolve, reject) => {
    const request = https.get(url, { agent }).once('error', reject)
    request.once('response', (response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response.resume()
      response.once('end', () => resolve({ status, connection: headers.connection, wasOpen: request.reusedSocket }))
    })
  })
}
