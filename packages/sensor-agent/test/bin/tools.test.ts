import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { currentTimeMs, until } from '../../../../testing/real-time.ts'
import { isInHome } from '../../src/bin/commands/install-service.ts'
import { aTestService, efhk, json, type TestService } from '../support/a-command.ts'
import { aPosition } from '../support/an-agent.ts'

// Each test starts a process or two, and the machine may be busy.
let service: TestService

beforeAll(async () => {
  service = await aTestService()
})
afterAll(() => service.stop())

test('the running agent has pages on this machine, and status reads them', async () => {
  const child = service.start(['run', '--simulate', 'circles', '--status', '0'])
  await vi.waitUntil(() => service.bodies.length > 0)
  const asked = await service.agent(['status', '--state-dir', service.state, '--json'])
  const running = JSON.parse(asked.stdout)
  expect(running).toMatchObject({ running: true, sensor: 'roof1', healthy: true, refused: 0 })
  expect(running.sources).toMatchObject([
    { name: 'simulator, 10 aircraft in circles', state: 'running', unusable: 0, reasons: {}, partial: {} },
  ])

  const { url } = JSON.parse(await readFile(join(service.state, 'running.json'), 'utf8'))
  const page = await fetch(`${url}/status`)
  expect(await page.text()).toContain('<h1>Sensor roof1</h1>')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ healthy: true })
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^posrep_agent_positions_accepted_total \d+$/m)
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405)
  child.process.kill('SIGTERM')
  await child.ended

  const after = await service.agent(['status', '--state-dir', service.state])
  expect([after.code, after.stdout]).toEqual([4, expect.stringMatching(/^no agent runs/)])
})

test('status does not show another agent that has taken the port of one that was killed', async () => {
  const killed = join(service.folder, 'killed')
  const other = join(service.folder, 'other')
  const sent = service.bodies.length
  const child = service.start(['run', '--simulate', 'circles', '--status', '0', '--state-dir', other])
  onTestFinished(() => void child.process.kill('SIGKILL'))
  await vi.waitUntil(() => service.bodies.length > sent)
  const { url } = JSON.parse(await readFile(join(other, 'running.json'), 'utf8'))
  await mkdir(killed)
  await writeFile(join(killed, 'running.json'), JSON.stringify({ pid: 2 ** 30, url }))

  const asked = await service.agent(['status', '--state-dir', killed])

  expect([asked.code, asked.stdout]).toEqual([4, expect.stringMatching(/^no agent runs/)])
})

test('status and its pages show that the disk of the spool fails', async () => {
  const state = join(service.folder, 'failing')
  const child = service.start(['run', '--stdin', '--status', '0', '--state-dir', state])
  onTestFinished(() => void child.process.kill('SIGKILL'))
  await vi.waitUntil(() => existsSync(join(state, 'running.json')))
  await rm(join(state, 'spool'), { recursive: true })
  await writeFile(join(state, 'spool'), 'not a folder')
  child.process.stdin?.write(`${JSON.stringify(aPosition('1'))}\n`)
  await vi.waitUntil(() => child.stderr().includes('The spool cannot write its files'))

  const asked = await service.agent(['status', '--state-dir', state, '--json'])

  expect(JSON.parse(asked.stdout)).toMatchObject({ healthy: false, alarms: [{ code: 'spool_unwritable' }] })
})

test('status finds an agent that has no status page, and a second agent takes another port for its own', async () => {
  const state = join(service.folder, 'quiet')
  const child = service.start(['run', '--stdin', '--state-dir', state])
  onTestFinished(() => void child.process.kill('SIGKILL'))
  await until('the spool has a lock', () => existsSync(join(state, 'spool', 'lock')))

  expect(await service.agent(['status', '--state-dir', state])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^an agent runs with the state folder .*, as process \d+, without a status page/),
  })
})

test('what a receiver sends that is not usable is counted by reason, and raw bytes do not reach the terminal', async () => {
  const state = join(service.folder, 'counted')
  const child = service.start(['run', '--stdin', '--state-dir', state, '--status', '0'])
  onTestFinished(() => void child.process.kill('SIGKILL'))
  child.process.stdin?.write(`${'\x1b[31mnonsense\x07\n'.repeat(200)}${JSON.stringify(aPosition('usable'))}\n`)
  await until('the position arrives', () => service.bodies.some((body) => body.includes('"usable"')))
  const asked = await service.agent(['status', '--state-dir', state])
  const { url } = JSON.parse(await readFile(join(state, 'running.json'), 'utf8'))
  const metrics = await (await fetch(`${url}/metrics`)).text()

  expect(asked.stdout).toContain('NDJSON: running; 1 positions, 200 unusable (invalid_position 200)')
  expect(metrics).toContain('posrep_agent_inputs_unusable_total{reason="invalid_position"} 200\n')
  expect(
    child
      .stderr()
      .split('\n')
      .filter((line) => line.includes('nonsense')),
  ).toHaveLength(1)
  expect(child.stderr()).not.toContain('\x1b')
})

test('a password in the address of a receiver is in no output, and is used', async () => {
  const asked: (string | undefined)[] = []
  const receiver = createServer((request, response) => {
    asked.push(request.headers.authorization)
    response.end('{"now":1,"aircraft":[]}')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => void receiver.close().closeAllConnections())
  // A listening server has an address with a port.
  const { port } = receiver.address() as AddressInfo
  const address = `http://user:pa55word@127.0.0.1:${port}/data.json?key=k3y`

  const checked = await service.agent(['config', 'check', '--readsb', address])
  const doctor = await service.agent(['doctor', '--readsb', address])

  expect(asked[0]).toBe(`Basic ${Buffer.from('user:pa55word').toString('base64')}`)
  expect(checked.stderr).toContain('POSREP_AGENT_READSB_LOGIN')
  for (const { stdout, stderr } of [checked, doctor]) expect(stdout + stderr).not.toMatch(/pa55word|k3y/)
})

test('doctor checks everything between the source and the service', async () => {
  service.answer = (response) =>
    json(response, 400, {
      type: 'urn:problem:invalid_body',
      title: 'Invalid body',
      status: 400,
      code: 'invalid_body',
      errors: [{ pointer: '/positions', code: 'min_items', detail: 'must not be empty' }],
    })

  const { code, stdout } = await service.agent(['doctor', '--replay', efhk, '--speed', '10000', '--json'])
  service.answer = (response) => response.writeHead(202).end()

  const names = [
    'DNS',
    'TLS',
    'service',
    'clock',
    'token',
    'dry run',
    'state folder',
    'spool',
    'source recording efhk_2026-01-07.sbs.gz',
  ]
  expect(JSON.parse(stdout).checks).toMatchObject(names.map((name) => ({ name, result: 'ok' })))
  expect(code).toBe(0)
})

test.each([
  ['a wrong secret', ['--client-secret', 'wr0ng'], 'token', /--client-secret/],
  ['a port where nothing listens', ['--ingest', 'https://127.0.0.1:1'], 'TLS', /check the port/],
  ['a receiver that does not run', ['--sbs', '127.0.0.1:1'], 'source SBS 127.0.0.1:1', /check that the receiver runs/],
])('doctor names %s and what to do', async (_, args, name, advice) => {
  const { code, stdout } = await service.agent(['doctor', ...args, '--json'])

  const found = JSON.parse(stdout).checks.find((check: { name: string }) => check.name === name)
  expect(found).toMatchObject({ result: 'failed', advice: expect.stringMatching(advice) })
  expect(code).toBe(1)
})

test('doctor says that a receiver without aircraft has no position', async () => {
  expect(await doctorOfSnapshot({ now: currentTimeMs() / 1_000, aircraft: [] })).toMatchObject({
    result: 'warning',
    advice: expect.stringMatching(/^no position in 5 s/),
  })
})

test('doctor counts positions, and says when the newest is old', async () => {
  const aircraft = ['461f67', '461f68'].map((hex) => ({ hex, lat: 60.3, lon: 24.9, seen_pos: 1 }))

  expect(await doctorOfSnapshot({ now: 1_767_767_700, aircraft })).toMatchObject({
    result: 'warning',
    detail: expect.stringMatching(/^2 positions in 5 s, but the newest is \d+ days old$/),
    advice: expect.stringMatching(/^check that the receiver still runs/),
  })
})

test('doctor says that a file is not aircraft.json, and that lines are no positions', async () => {
  expect(await doctorOfSnapshot({ version: '3.14' })).toMatchObject({
    result: 'failed',
    detail: expect.stringMatching(/not aircraft.json/),
  })
  const { stdout } = await service.agent(['doctor', '--stdin', '--json'], { input: 'nonsense\n' })
  expect(JSON.parse(stdout).checks.at(-1)).toMatchObject({
    result: 'failed',
    detail: expect.stringMatching(/^line 1: .*not JSON/),
  })
})

test('lint accepts good positions', async () => {
  const file = join(service.folder, 'good.ndjson')
  const complete = {
    ...aPosition(1),
    target: { ids: [{ id: '461F67', type: 'ICAO' }] },
    altitudes: [{ height: 900, datum: 'bar' }],
    groundVelocity: { x: 1, y: 2, z: 0 },
  }
  await writeFile(file, JSON.stringify(complete))

  expect(await service.agent(['lint', file])).toMatchObject({ code: 0, stdout: '1 positions, 0 errors, 0 warnings\n' })
})

test('lint names errors by line and path, and likely mistakes', async () => {
  const file = join(service.folder, 'wrong.ndjson')
  const lines = [
    { ...aPosition('a'), position: { lat: 60.3, lng: 24.9 } },
    { ...aPosition('a'), altitudes: [{ height: 35_000, datum: 'bar' }] },
    { ...aPosition('b'), sourceTimeStamp: 1_767_767_700 },
    { ...aPosition('c'), groundVelocity: { x: 900, y: 0, z: 0 }, position: { lat: 0, lon: 0 } },
  ]
  await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnonsense\n`)

  const { code, stdout } = await service.agent(['lint', file])

  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'error: line 1, position.lon: is missing; did you mean "lon" for "lng"?',
      'warning: line 2, altitudes[0].height: 35000 m is above every aircraft; is it in feet?',
      'warning: line 2, id: "a" is also the id of line 1',
      expect.stringMatching(/^error: line 3, sourceTimeStamp: .*RFC 3339/),
      'warning: line 4, groundVelocity: 900 m/s is faster than any airliner; is it in knots or km/h?',
      expect.stringMatching(/^warning: line 4, position: 0\/0 /),
      'error: line 5: not JSON: nonsense',
      expect.stringMatching(/^warning: line 3: not shown on the map without target.ids/),
    ]),
  )
  expect(code).toBe(1)
})

test('lint reads what a receiver writes, as run does', async () => {
  expect((await service.agent(['lint', efhk])).stdout).toBe(
    '11128 positions of a receiver, which the agent converts, 0 errors, 0 warnings\n',
  )
  const file = join(service.folder, 'written.json')
  const list = ['{"hex":"40a071","lat":60.2,"lon":24.9}', '{"hex":"000000","lat":60.2,"lon":24.9}']
  await writeFile(file, `{ "now" : 1764072000.1,\n  "aircraft" : [\n${list.join(',\n')}\n  ]\n}\n`)

  expect(await service.agent(['lint', file])).toMatchObject({
    code: 1,
    stdout:
      'error: line 6: no_identifier: "hex" is "000000"\n1 positions of a receiver, which the agent converts, 1 errors, 0 warnings\n',
  })
})

test('install-service prints a unit that systemd accepts', async () => {
  const config = join(service.folder, 'config 1.json')
  await writeFile(config, '{}')

  const { code, stdout } = await service.agent(['install-service', '--print', '--config', config])

  expect(code).toBe(0)
  expect(stdout).toContain(`run --config "${config}"`)
  expect(stdout).toMatch(/^NoNewPrivileges=yes$/m)
  const unit = join(service.folder, 'posrep-agent.service')
  await writeFile(unit, stdout)
  const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  // Where systemd is not installed, only the text is checked.
  if (verified.error === undefined) expect(verified.stderr).not.toMatch(/posrep-agent\.service:\d+/)
})

test.runIf(isInHome(join(homedir(), 'file')))(
  'install-service warns of settings in a home folder, which the service does not see, and prints the unit all the same',
  async () => {
    const folder = await mkdtemp(join(homedir(), '.posrep-agent-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const config = join(folder, 'config.json')
    await writeFile(config, '{}')

    const { code, stdout, stderr } = await service.agent(['install-service', '--print', '--config', config])

    expect(stderr).toContain(`${config}: below a home folder, which the service does not see (ProtectHome); put it`)
    expect(stdout).toContain(`run --config ${config}\n`)
    expect(code).toBe(0)
  },
)

async function doctorOfSnapshot(snapshot: object) {
  const file = join(service.folder, 'aircraft.json')
  await writeFile(file, JSON.stringify(snapshot))
  const { stdout } = await service.agent(['doctor', '--readsb', file, '--json'])
  return JSON.parse(stdout).checks.at(-1)
}
