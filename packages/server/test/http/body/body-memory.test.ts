import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBodyMemory } from '../../../src/http/body/read-body.ts'
import { createAnswerError } from '../../../src/http/errors/error-handler.ts'
import { writeAnswer } from '../../../src/http/operation/answer.ts'
import { documentFor } from '../../../src/http/operation/openapi-document.ts'
import { serveOperations } from '../../../src/http/operation/serve-operation.ts'
import { createRequestValidator } from '../../../src/http/validation/request-validator.ts'
import { aReport } from '../../a-report.ts'
import { silentLogger } from '../../a-server.ts'

const megabyte = 1024 * 1024
const body = JSON.stringify(aReport()).padEnd(megabyte)

function headOf(clientId: string, address: string): string {
  const headers = `Authorization: Bearer ${clientId}\r\nX-Address: ${address}\r\nContent-Type: application/json`
  return `POST /v1/position-reports HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nContent-Length: ${body.length}\r\n\r\n`
}

/** The operation that submits reports, with 4 MiB of memory for bodies. A token is the id of its client. */
async function anIngest() {
  const origin = 'https://localhost:8443'
  const bodyMemory = createBodyMemory(4 * megabyte)
  const [operation] = await serveOperations({
    document: documentFor({ auth: origin, ingest: origin, ui: origin }),
    handlers: { submitPositionReport: async () => ({ status: 202 }) },
    verifyAccessToken: async (clientId) => ({
      kind: 'device',
      deviceUrn: `urn:aa:device:${clientId}:roof1`,
      clientId,
      scopes: ['surveillance_api'],
      tokenId: clientId,
    }),
    answerError: createAnswerError({ logger: silentLogger, errorAnswers: {} }),
    bodyMemory,
    createValidator: createRequestValidator,
  })
  const server = createServer(async (request, response) => {
    const address = String(request.headers['x-address'])
    const answer = await operation?.serve({ request, requestId: '', path: operation.template, address })
    if (answer) writeAnswer(response, answer)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo

  /** Sends the head of a report of 1 MiB. */
  function start(clientId: string, address: string): Socket {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(headOf(clientId, address))
    return socket
  }

  return {
    start,
    /** Sends all of a report of 1 MiB except its last byte. Resolves when the client has used most of its share. */
    async slowUpload(clientId: string, address: string) {
      const socket = start(clientId, address)
      socket.write(body.slice(1))
      await vi.waitFor(() => {
        const more = bodyMemory.inUse.acquire({ [`client ${clientId}`]: megabyte }, megabyte / 4)
        if (more.kind === 'slots') more.release()
        expect(more.kind).toBe('full')
      }, 5_000)
      return socket
    },
    async submit(clientId: string, address: string, text = body) {
      const headers = { authorization: `Bearer ${clientId}`, 'content-type': 'application/json', 'x-address': address }
      const url = `http://127.0.0.1:${port}/v1/position-reports`
      const response = await fetch(url, { method: 'POST', headers, body: text })
      return [response.status, response.headers.get('retry-after')]
    },
  }
}

test('slow uploads of a client or an address take a quarter of the memory for bodies, and others are accepted', async () => {
  const { slowUpload, submit } = await anIngest()
  await slowUpload('fleet', '192.0.2.7')

  expect(await submit('fleet', '192.0.2.8')).toEqual([503, '1'])
  expect(await submit('rival', '192.0.2.7')).toEqual([503, '1'])
  expect(await submit('rival', '192.0.2.8')).toEqual([202, null])
  expect(await submit('fleet', '192.0.2.7', body.trimEnd())).toEqual([202, null])
})

test('what complete bodies and closed connections used is free again', async () => {
  const { slowUpload, submit } = await anIngest()
  for (let report = 0; report < 3; report++) expect(await submit('fleet', '192.0.2.7')).toEqual([202, null])

  const socket = await slowUpload('fleet', '192.0.2.7')
  expect(await submit('fleet', '192.0.2.7')).toEqual([503, '1'])
  socket.destroy()
  await vi.waitFor(async () => expect(await submit('fleet', '192.0.2.7')).toEqual([202, null]), 5_000)
})

test('the rest of a body that was refused while it came is not read as the next request', async () => {
  const { slowUpload, start } = await anIngest()
  const slow = await slowUpload('fleet', '192.0.2.7')
  const socket = start('fleet', '192.0.2.8').setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  socket.write(body.slice(0, megabyte / 2))
  await expect.poll(() => text).toMatch(/^HTTP\/1.1 503 /)

  text = ''
  slow.destroy()
  await once(slow, 'close')
  for (let at = megabyte / 2; at < megabyte; at += 10_000) {
    socket.write(body.slice(at, at + 10_000))
    await setImmediate()
  }
  socket.write(headOf('rival', '192.0.2.9') + body)
  await expect.poll(() => text).toMatch(/^HTTP\/1.1 202 /)
})

test('all clients together have a limit, too', async () => {
  const { slowUpload, submit } = await anIngest()
  for (const n of [1, 2, 3, 4]) await slowUpload(`client${n}`, `192.0.2.${n}`)
  expect(await submit('fleet', '192.0.2.7')).toEqual([503, '1'])
})
