/**
 * Clients that send slowly, concurrently, or during a shutdown: I8, bounded connections, and I1 for each kind of
 * shutdown.
 */
import { connect } from 'node:net'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aReportText } from '../parts/a-sensor.ts'
import { aScene, type Scene } from './a-scene.ts'

/** The tests of other files stop the server without a notice. */
const flags = ['--drain-notice-seconds', '1']

test('I8: a request with slow headers is ended, then one with a slow body, and other requests do not wait', async () => {
  const scene = await aScene()
  const headers = aConnection(scene)
  const body = aConnection(scene)
  headers.socket.write('POST /v1/position-reports HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  body.socket.write(`${headOf(scene, 1_000)}{"positions":[`)
  const drips = setInterval(() => {
    headers.socket.write('x')
    body.socket.write(' ')
  }, 250)
  onTestFinished(() => clearInterval(drips))

  const ended: string[] = []
  const slow = Promise.all([
    headers.closed.then(() => ended.push('headers')),
    body.closed.then(() => ended.push('body')),
  ])
  // Each is answered while the slow ones go on.
  for (let report = 0; report < 6; report++) expect((await scene.submit()).status).toBe(202)
  expect(ended).toEqual([])
  await slow

  expect(ended).toEqual(['headers', 'body'])
  expect(headers.answer()).toMatch(/^HTTP\/1\.1 408 /)
  expect(body.answer()).toMatch(/^HTTP\/1\.1 408 /)
  expect(scene.refused).toEqual([])
})

test('I1: each of 500 requests in progress at SIGTERM is answered, none is reset, and the process ends', async () => {
  const scene = await aScene({ flags })
  const requests = Array.from({ length: 500 }, (_, n) => ({
    ...aConnection(scene),
    text: aReportText(`roof1:${n + 1}`),
  }))
  for (const { socket, text } of requests) socket.write(headOf(scene, text.length, 'Expect: 100-continue'))
  await until('all requests are in progress', () =>
    requests.every(({ answer }) => answer().startsWith('HTTP/1.1 100 ')),
  )

  const stopped = scene.server().stop()
  await until('no new connection is accepted', async () => !(await isTaken(scene.location.port)))
  for (const { socket, text } of requests) socket.write(text)
  await Promise.all(requests.map(({ closed }) => closed))

  expect(await stopped).toBe(0)
  // A reset after the complete answer is harmless: both sides were closing the connection.
  const unanswered = requests.filter(({ answer }) => !/^HTTP\/1\.1 202 .*\r\n\r\n$/ms.test(answer()))
  expect(unanswered.map(({ answer, error }) => error()?.message ?? answer())).toEqual([])
  expect(requests.every(({ answer }) => /^connection: close\r$/im.test(answer()))).toBe(true)
  await scene.startAgain()
  await until('all reports have arrived', () => scene.recorder.received('roof1').size === 500)
})

test.each<[how: string, end: (pid: number) => void, code: number | null]>([
  ['a second SIGTERM', (pid) => process.kill(pid, 'SIGTERM'), 1],
  ['a SIGKILL', (pid) => process.kill(pid, 'SIGKILL'), null],
])('I1: %s during the shutdown ends the process, and no accepted report is lost', async (_how, end, code) => {
  const scene = await aScene({ flags })
  // The shutdown waits for this request.
  const unfinished = aConnection(scene)
  unfinished.socket.write(`${headOf(scene, 1_000)}{"positions":[`)
  for (let report = 0; report < 100; report++) expect((await scene.submit()).status).toBe(202)

  const { ready, exited } = scene.server()
  process.kill(ready.pid, 'SIGTERM')
  await until('it drains', async () => !(await isTaken(scene.location.port)))
  end(ready.pid)

  // Without the second signal it exits with 0.
  expect(await exited).toBe(code)
  await scene.startAgain()
  await scene.untilAllArrived()
})

function headOf({ sensor }: Scene, length: number, ...more: string[]): string {
  const lines = ['POST /v1/position-reports HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${sensor.token}`]
  return [...lines, 'Content-Type: application/json', `Content-Length: ${length}`, ...more, '', ''].join('\r\n')
}

/** Opens a connection; `closed` resolves when the server has closed it. */
function aConnection({ location, server }: Scene) {
  const { ca } = server().certificate
  const socket = tls.connect({ port: location.port, host: '127.0.0.1', servername: 'localhost', ca })
  onTestFinished(() => void socket.destroy())
  let answer = ''
  let error: Error | undefined
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  socket.on('error', (cause) => (error = cause))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, closed, answer: () => answer, error: () => error }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
