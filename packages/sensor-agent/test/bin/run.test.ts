import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { aTestService, efhk, type TestService } from '../support/a-command.ts'
import { aPosition } from '../support/an-agent.ts'
import { aSmallDisk, canMount, fill } from '../support/full-disk.ts'
import { aTempFolder } from '../support/temp-folder.ts'

// Each test starts a process or two, and the machine may be busy.
const allAccepted = (count: number) => `posrep-agent: ${count} accepted, 0 refused, 0 dropped, 0 not sent, 0 unusable\n`
let service: TestService

beforeEach(async () => {
  service = await aTestService()
})
afterEach(() => service.stop())

test('run --stdin reports the lines of standard input unchanged and exits with 0', async () => {
  const lines = [
    `{"id":"1", "sourceTimeStamp":"2026-11-21T12:00:00Z","position":{"lat":6.0e1,"lon":25},"new":1e2}`,
    JSON.stringify(aPosition(2)),
  ]

  const { code, stderr, stdout } = await service.agent(['run', '--stdin'], { input: `${lines.join('\n')}\n\n` })

  expect(service.bodies).toEqual([`{"sensor":{"id":"roof1"},"positions":[${lines.join(',')}]}`])
  expect([code, stderr, stdout]).toEqual([0, allAccepted(2), ''])
})

test('a port of --status that is taken ends the command, and the next start finds a clean stop', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const status = `127.0.0.1:${portOf(other)}`

  const taken = await service.agent(['run', '--stdin', '--status', status])
  const next = await service.agent(['run', '--stdin'])

  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining(`"--status" cannot listen on ${status}`)])
  expect([next.code, next.stderr]).toEqual([0, allAccepted(0)])
})

test('a line that is not a position is told with its number, the others are sent, and the exit status is 1', async () => {
  const input = `nonsense\n${JSON.stringify(aPosition(2))}\n{"id":"3"}\n`
  const { code, stderr } = await service.agent(['run', '--stdin'], { input })

  expect(stderr).toContain('NDJSON: line 1: positions[0] is not JSON: nonsense')
  expect(stderr).toContain('line 3: ')
  expect(stderr).toContain('1 accepted, 0 refused, 0 dropped, 0 not sent, 2 unusable')
  expect(code).toBe(1)
})

test('a reader of the log that goes away does not stop the agent', async () => {
  const child = service.start(['run', '--stdin', '--json'])
  child.process.stderr?.destroy()
  child.process.stdout?.destroy()

  child.process.stdin?.write('nonsense\nmore nonsense\n')
  child.process.stdin?.write(`${JSON.stringify(aPosition(1))}\n`)
  await vi.waitUntil(() => service.bodies.length === 1)
  child.process.stdin?.end(JSON.stringify(aPosition(2)))

  // 1: there was unusable input.
  expect((await child.ended).code).toBe(1)
  expect(ids()).toEqual(['1', '2'])
})

test('run --replay plays the recording to its end and exits', async () => {
  const { code, stderr } = await service.agent(['run', '--replay', efhk, '--speed', '100000'])

  expect(new Set(ids()).size).toBe(11_128)
  expect([code, stderr]).toEqual([0, allAccepted(11_128)])
})

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s stops the sources, sends what is in the spool and exits with 0',
  async (signal) => {
    const child = service.start(['run', '--replay', efhk, '--loop'])
    await vi.waitUntil(() => service.bodies.length > 0)

    child.process.kill(signal)
    const { code, stderr } = await child.ended

    expect(stderr).toMatch(/^posrep-agent: \d+ accepted, 0 refused, 0 dropped, 0 not sent, 0 unusable\n$/)
    expect(code).toBe(0)
  },
)

test.each([['--stdin'], ['--remote-id']])(
  'SIGTERM ends the run offline, whatever %s and the other sources wait for',
  async (input) => {
    service.answer = (response) => response.writeHead(503).end()
    const connections: Socket[] = []
    const silent = createServer((socket) => void connections.push(socket)).listen(0, '127.0.0.1')
    onTestFinished(() => {
      silent.close()
      for (const socket of connections) socket.destroy()
    })
    await once(silent, 'listening')
    const receiver = `127.0.0.1:${portOf(silent)}`
    const child = service.start(
      ['run', input, '--replay', efhk, '--speed', '100000', '--http', '0', '--udp', '0', '--simulate', 'circles']
        .concat(['--readsb', `http://${receiver}/`, '--sbs', receiver])
        .concat(['--status', '0', '--spool-megabytes', '1']),
      { stdin: await aLargeInput(input) },
    )
    await vi.waitUntil(() => /HTTP.*listening/.test(child.stderr()))
    const idle = connect(Number(/http:\S+:(\d+)\/positions/.exec(child.stderr())?.[1]), '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    await once(idle, 'connect')
    await untilSpooled(500_000)

    child.process.kill('SIGTERM')
    const { code, stderr } = await child.ended

    expect(stderr).toMatch(/0 accepted, 0 refused, 0 dropped, [1-9]\d* not sent, 0 unusable\n$/)
    expect(stderr).not.toContain('did not stop')
    expect(code).toBe(1)
  },
)

test('a file on standard input waits for room in the spool, and all of it arrives', async () => {
  service.answer = (response) => response.writeHead(503).end()
  const child = service.start(['run', '--stdin', '--status', '0', '--spool-megabytes', '1'], {
    stdin: await aLargeInput('--stdin'),
  })
  await untilSpooled(500_000)

  service.answer = (response) => response.writeHead(202).end()

  expect(await child.ended).toMatchObject({ code: 0, stderr: expect.stringContaining(allAccepted(1_000)) })
  expect(new Set(ids()).size).toBe(1_000)
})

test('a pipe on standard input never waits: in an outage the spool keeps the newest positions', async () => {
  service.answer = (response) => response.writeHead(503).end()
  const child = service.start(['run', '--stdin', '--status', '0', '--spool-megabytes', '1'])
  child.process.stdin?.write(`${largeLines('--stdin').join('\n')}\n`)
  await vi.waitUntil(() => child.stderr().includes('the spool is full'))

  service.answer = (response) => response.writeHead(202).end()
  child.process.stdin?.end(JSON.stringify(aPosition('newest')))

  expect(await child.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/[1-9]\d* dropped, 0 not sent/) })
  expect(ids()).toContain('newest')
})

test('the log says that the service does not accept positions, and when it does again', async () => {
  service.answer = (response) => response.writeHead(503).end()
  const child = service.start(['run', '--stdin'])
  child.process.stdin?.write(`${JSON.stringify(aPosition(1))}\n`)
  await vi.waitUntil(() => child.stderr().includes('answered 503; 1 positions wait'))

  service.answer = (response) => response.writeHead(202).end()
  child.process.stdin?.end()

  expect(await child.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the service accepts positions again; 0 positions wait'),
  })
})

test('SIGINT stops reading standard input that is still open', async () => {
  const child = service.start(['run', '--stdin'])
  child.process.stdin?.write(`${JSON.stringify(aPosition('1'))}\n`)
  await vi.waitUntil(() => service.bodies.length > 0)

  child.process.kill('SIGINT')

  expect(await child.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('1 accepted') })
})

test('a second signal ends the process at once, and the next run sends what was in the spool', async () => {
  service.answer = (response) => response.writeHead(503).end()
  const child = service.start(['run', '--stdin'])
  child.process.stdin?.write(`${JSON.stringify(aPosition('1'))}\n`)
  await vi.waitUntil(() => service.bodies.length > 0)
  child.process.kill('SIGTERM')
  await vi.waitUntil(() => service.bodies.length > 1)
  child.process.kill('SIGTERM')
  expect(await child.ended).toMatchObject({ code: 130 })

  service.answer = (response) => response.writeHead(202).end()
  service.bodies.length = 0
  const { code, stderr } = await service.agent(['run', '--stdin'])

  expect(ids()).toEqual(['1'])
  expect(stderr).toContain('1 positions of the last run wait in the spool')
  expect(code).toBe(0)
})

test('what the service refuses is kept with its reason, listed, and sent again', async () => {
  const detail = '"/positions/0/target/type" must be one of the document\'s'
  service.answer = (response) =>
    response
      .writeHead(422, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ title: 'x', detail, type: 'urn:problem:x', status: 422, code: 'invalid_body' }))
  const { code, stderr } = await service.agent(['run', '--stdin'], { input: JSON.stringify(aPosition('1')) })
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 positions: ')])

  const list = await service.agent(['refused', 'list', '--state-dir', service.state, '--json'])
  expect(JSON.parse(list.stdout).refused).toMatchObject([{ status: 422, json: JSON.stringify(aPosition('1')) }])

  service.answer = (response) => response.writeHead(202).end()
  const resend = await service.agent(['refused', 'resend'], { service: true, client: true })
  expect([resend.code, resend.stdout]).toEqual([0, '1 sent again: 1 accepted, 0 refused\n'])
  const empty = await service.agent(['refused', 'list', '--state-dir', service.state])
  expect(empty.stdout).toBe('no position was refused\n')
})

test.skipIf(!canMount)('on a full disk run starts with the identity that is there, and sends', async () => {
  const disk = join(await aTempFolder(), 'disk')
  await aSmallDisk(disk)
  const state = ['--state-dir', join(disk, 'state')]
  await service.agent(['pair', ...state])
  await fill(join(disk, 'filler'))

  const status = await service.agent(['status', ...state])
  const run = await service.agent(['run', '--stdin', '--status', '0', ...state], {
    client: false,
    input: JSON.stringify(aPosition(1)),
  })

  expect(status.stdout).toMatch(/^no agent runs .*, or it was started when the disk was full, as it is: then its log/)
  expect(run.stderr).toMatch(/action required: The spool cannot write its files: ENOSPC.*positions stay in memory/)
  expect([run.code, service.bodies.length, service.pairings]).toEqual([0, 1, 1])
})

test('several sources run beside each other', async () => {
  const child = service.start(['run', '--stdin', '--simulate', 'circles', '--targets', '3'])
  child.process.stdin?.end(`${JSON.stringify(aPosition('mine'))}\n`)
  await vi.waitUntil(() => ids().includes('mine') && ids().some((id) => id.startsWith('SIM0003')))

  child.process.kill('SIGTERM')

  expect((await child.ended).code).toBe(0)
})

test('a source that fails ends the command with 6', async () => {
  const file = join(service.folder, 'cut.sbs.gz')
  await writeFile(file, (await readFile(efhk)).subarray(0, 20_000))

  const { code, stderr } = await service.agent(['run', '--replay', file, '--speed', '100000'])

  expect(stderr).toMatch(/cannot be played: unexpected end of file\n.*[1-9]\d* accepted/)
  expect(code).toBe(6)
})

test('a second agent with the same spool ends with 5', async () => {
  const first = service.start(['run', '--simulate', 'circles'])
  await vi.waitUntil(() => service.bodies.length > 0)

  const { code, stderr } = await service.agent(['run', '--stdin'])
  first.process.kill('SIGKILL')
  await first.ended

  expect([code, stderr]).toEqual([5, expect.stringMatching(/spool/)])
})

test('--json prints one object per line and nothing else', async () => {
  const { code, stdout, stderr } = await service.agent(['run', '--stdin', '--json'], {
    input: `x\n${JSON.stringify(aPosition(1))}`,
  })

  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events).toMatchObject([{ event: 'unusable' }, { event: 'ended', accepted: 1, unusable: 1 }])
  expect([code, stderr]).toEqual([1, ''])
})

/** Twice as much as a spool of 1 MiB takes. */
function largeLines(input: string): string[] {
  const padding = 'x'.repeat(2_000)
  return Array.from({ length: 1_000 }, (_, n) =>
    JSON.stringify(
      input === '--stdin'
        ? { ...aPosition(n), padding }
        : { t: 1_680_365_780 + n, lat: 47.2, lon: 8.7, uas_id: `1588E040-${n}`, id_type: 'serial' },
    ),
  )
}

async function aLargeInput(input: string): Promise<number> {
  const file = join(service.folder, 'input.ndjson')
  await writeFile(file, largeLines(input).join('\n'))
  const handle = await open(file)
  onTestFinished(() => handle.close())
  return handle.fd
}

async function untilSpooled(bytes: number): Promise<void> {
  const running = join(service.state, 'running.json')
  await vi.waitUntil(() => existsSync(running))
  const { url } = JSON.parse(await readFile(running, 'utf8'))
  const spooledBytes = async () =>
    Number(/"spooledBytes":(\d+)/.exec(await (await fetch(`${url}/status.json`)).text())?.[1])
  while ((await spooledBytes()) < bytes) {}
}

function portOf(server: Server): number {
  // A listening server has an address with a port.
  return (server.address() as AddressInfo).port
}

function ids(): string[] {
  return service.bodies.flatMap((body) =>
    (JSON.parse(body) as { positions: { id: string }[] }).positions.map(({ id }) => id),
  )
}
