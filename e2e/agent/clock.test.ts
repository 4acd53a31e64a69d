/**
 * The clock of a sensor's machine is wrong, is set while the agent has no service, or stands still with the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { fakeTime, setClock } from '../parts/fake-time.ts'
import { testWith } from '../parts/requirements.ts'
import { programOf } from '../parts/server-process.ts'

const testWithClock = testWith('faketime', 'a clock that is set')
const daySeconds = 86_400

interface Sent {
  id: string
  sourceTimeStamp: string
}

/** A service that is away until it is said to be there. */
async function aService() {
  let isThere = false
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    if (!isThere) return void response.destroy()
    if (request.url?.includes('token')) {
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify({ access_token: 'a', token_type: 'bearer', expires_in: 3_600 }))
    }
    void take(request).then(() => response.writeHead(202).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, sent, comeBack: () => (isThere = true) }

  async function take(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    sent.push(...JSON.parse(body.toString()).positions)
  }
}

async function anAgent(origin: string, args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-clock-'))
  const given = ['--ingest', origin, '--sensor', 'roof1', '--client-id', 'c', '--client-secret', 's', '--status', 'off']
  const running: ChildProcess[] = []
  onTestFinished(async () => {
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(running.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'close')))
    await rm(folder, { recursive: true, force: true })
  })
  return {
    set: (seconds: number) => setClock(folder, seconds < 0 ? String(seconds) : `+${seconds}`),
    start() {
      const child = spawn(
        programOf('posrep-agent'),
        ['run', ...given, '--state-dir', join(folder, 'state'), '--json', ...args],
        {
          env: { ...process.env, ...fakeTime(folder) },
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      )
      running.push(child)
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      const exited = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
      return { child, exited, output: () => output }
    },
  }
}

const positions = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) =>
    JSON.stringify({ id: String(first + at), sourceTimeStamp: '2026-11-25T12:00:00Z', position: { lat: 1, lon: 2 } }),
  ).join('\n')

testWithClock.each([[1], [6], [8], [400], [20_000]])(
  'positions of an outage arrive, however far the clock was behind before it was set: %d days, also after a kill',
  async (days) => {
    const { origin, sent, comeBack } = await aService()
    const agent = await anAgent(origin, ['--stdin'])
    await agent.set(-days * daySeconds)
    const first = agent.start()
    first.child.stdin?.write(`${positions(1, 100)}\n`)
    await until(
      'the agent has tried',
      () => first.output().includes('"event":"retry"') || first.output().includes('"alarm"'),
    )

    await agent.set(0)
    first.child.stdin?.write(`${positions(101, 200)}\n`)
    first.child.kill('SIGKILL')
    await first.exited
    comeBack()
    const second = agent.start()
    second.child.stdin?.end()
    expect(await second.exited).toBe(0)

    const ids = new Set(sent.map(({ id }) => id))
    for (let id = 1; id <= 100; id += 1) expect(ids.has(String(id)), `position ${id}`).toBe(true)
    expect(second.output()).not.toContain('"event":"dropped"')
  },
)

testWithClock(
  'a clock that is set back by an hour ends the agent with 7, and the next run sends what waits',
  async () => {
    const { origin, sent, comeBack } = await aService()
    const agent = await anAgent(origin, ['--stdin'])
    await agent.set(3_600)
    const first = agent.start()
    first.child.stdin?.write(`${positions(1, 10)}\n`)
    await until(
      'the agent has tried',
      () => first.output().includes('"event":"retry"') || first.output().includes('"alarm"'),
    )

    await agent.set(0)
    expect(await first.exited).toBe(7)
    comeBack()
    const second = agent.start()
    second.child.stdin?.end()

    expect(await second.exited).toBe(0)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(10)
  },
)

testWithClock('a clock that is an hour ahead all the time loses nothing', async () => {
  const { origin, sent, comeBack } = await aService()
  const agent = await anAgent(origin, ['--stdin'])
  await agent.set(3_600)
  const { child, exited, output } = agent.start()
  child.stdin?.write(`${positions(1, 10)}\n`)
  await until('the agent has tried', () => output().includes('"event":"retry"') || output().includes('"alarm"'))
  comeBack()
  child.stdin?.end()

  expect(await exited).toBe(0)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(10)
  expect(output()).not.toContain('"event":"dropped"')
})

testWithClock('a clock that goes back and forth by 5 minutes neither stops the agent nor drops anything', async () => {
  const { origin, sent, comeBack } = await aService()
  comeBack()
  const agent = await anAgent(origin, ['--stdin'])
  await agent.set(0)
  const { child, exited, output } = agent.start()
  for (const [round, seconds] of [0, -300, 0, 300, -300, 300, 0].entries()) {
    await agent.set(seconds)
    child.stdin?.write(`${positions(1 + round * 10, 10 + round * 10)}\n`)
    await until('the positions arrive', () => new Set(sent.map(({ id }) => id)).size === 10 + round * 10)
  }
  child.stdin?.end()

  expect(await exited).toBe(0)
  expect(sent).toHaveLength(70)
  expect(output()).not.toContain('"event":"dropped"')
})

testWithClock(
  'after a jump forward, a suspend and a resume the simulator sends nothing at once, and the times are right',
  async () => {
    const { origin, sent, comeBack } = await aService()
    comeBack()
    const agent = await anAgent(origin, ['--simulate', 'circles', '--targets', '1'])
    await agent.set(0)
    const { child, exited } = agent.start()
    await until('positions arrive', () => sent.length >= 3)

    child.kill('SIGSTOP')
    await agent.set(10 * 3_600)
    child.kill('SIGCONT')
    const startedMs = Date.parse(sent[0]?.sourceTimeStamp ?? '')
    const hourLater = startedMs + 9 * 3_600_000
    await until('the new time is used', () =>
      sent.some(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp) > hourLater),
    )
    child.kill('SIGTERM')
    expect(await exited).toBe(0)

    // One position per second; hours would be tens of thousands.
    expect(sent.length).toBeLessThan(300)
  },
)
