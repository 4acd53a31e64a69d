import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createListener, listen, openFor } from '../../../src/composition/listening/listener.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'

/** A server whose answers the test ends, and a client that sends `count` requests at once. */
async function aClientOf(count: number) {
  const started: { url: string | undefined; response: ServerResponse }[] = []
  const { server } = createListener({ maxConnections: 10, clock: createManualClock() })
  openFor(server, ({ url }, response) => void started.push({ url, response }))
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  const client = net.connect(port, '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => {
    client.destroy()
    server.close()
    server.closeAllConnections()
  })
  client.on('error', () => {})
  let received = ''
  client.on('data', (text) => {
    received += text
  })
  await once(client, 'connect')
  client.write(Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  return { client, started, received: () => received }
}

test('a request starts when the answer before it was sent', async () => {
  const { started, received } = await aClientOf(3)
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => started.length).toBe(n + 1)
    expect(started[n]?.url).toBe(`/${n}`)
    started[n]?.response.end(`answer ${n}`)
    await expect.poll(received).toContain(`answer ${n}`)
  }
})

test('17 requests of a connection can be open; one more closes it, and none of those that wait starts', async () => {
  const { started, client } = await aClientOf(17)
  await expect.poll(() => started.length).toBe(1)
  client.write('GET /more HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(client, 'close')
  await expect.poll(() => started[0]?.response.destroyed).toBe(true)
  expect(started).toHaveLength(1)
})
