import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aTestService, efhk, json, type TestService, until } from '../support/a-command.ts'
import { aPosition } from '../support/an-agent.ts'

// Each test starts a process or two, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 })

let service: TestService

beforeAll(async () => {
  service = await aTestService()
})
afterAll(() => service.stop())

test('the running agent has pages on this machine, and status reads them', async () => {
  const child = service.start(['run', '--simulate', 'circles', '--status', '0'])
  await until(() => service.bodies.length > 0)
  const asked = await service.agent(['status', '--state-dir', service.state, '--json'])
  const running = JSON.parse(asked.stdout)
  expect(running).toMatchObject({ running: true, sensor: 'roof1', healthy: true, refused: 0 })
  expect(running.sources).toEqual([{ name: 'simulator, 10 aircraft in circles', state: 'running' }])

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
  await until(() => service.bodies.length > sent)
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
  await until(() => existsSync(join(state, 'running.json')))
  await rm(join(state, 'spool'), { recursive: true })
  await writeFile(join(state, 'spool'), 'not a folder')
  child.process.stdin?.write(`${JSON.stringify(aPosition('1'))}\n`)
  await until(() => child.stderr().includes('The spool cannot write its files'))

  const asked = await service.agent(['status', '--state-dir', state, '--json'])

  expect(JSON.parse(asked.stdout)).toMatchObject({ healthy: false, alarms: [{ code: 'spool_unwritable' }] })
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
  expect(await doctorOfSnapshot({ now: Date.now() / 1_000, aircraft: [] })).toMatchObject({
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

test('lint recognises what a receiver writes', async () => {
  expect((await service.agent(['lint', efhk])).stdout).toContain('these are SBS lines')
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

async function doctorOfSnapshot(snapshot: object) {
  const file = join(service.folder, 'aircraft.json')
  await writeFile(file, JSON.stringify(snapshot))
  const { stdout } = await service.agent(['doctor', '--readsb', file, '--json'])
  return JSON.parse(stdout).checks.at(-1)
}
