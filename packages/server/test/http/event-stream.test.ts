import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type EventOutput, openEventStream } from '../../src/http/event-stream.ts'

test.each(['identity', 'gzip'])(
  'a stream (%s) that is opened after the client has left has ended',
  async (encoding) => {
    const opened = Promise.withResolvers<EventOutput>()
    const server = createServer(async (_, response) => {
      // What the stream shows is opened first, and the client leaves meanwhile.
      const closed = once(response, 'close')
      client.destroy()
      await closed
      opened.resolve(openEventStream(response))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    // A server that listens on TCP has an AddressInfo.
    const { port } = server.address() as AddressInfo
    const client = request({ port, host: '127.0.0.1', headers: { 'accept-encoding': encoding } })
    client.on('error', () => {})
    client.end()

    expect((await opened.promise).ended.aborted).toBe(true)
  },
)
