/** The single executable of the agent (pnpm build:sea), built and run on this machine. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentTimeMs } from '../../testing/real-time.ts'
import { fleet, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const executable = join(root, 'packages/sensor-agent/dist-sea/posrep-agent')
let location: ServerLocation
let server: ServerProcess

beforeAll(async () => {
  const built = spawnSync(process.execPath, ['scripts/build-sea.ts'], { cwd: root, encoding: 'utf8' })
  expect(built.stderr).toBe('')
  location = await aServerLocation(seed)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
})
afterAll(async () => {
  await server.stop()
  await location.remove()
})

test('it is a program of its own: without Node in the path it says its version and finds mistakes', () => {
  const run = (...args: string[]) => spawnSync(executable, args, { encoding: 'utf8', env: { PATH: '' } })

  expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(run('rum')).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean run?') })
  expect(run('install-service', '--print').stdout).toContain(`ExecStart=${executable} run --config`)
})

test('it reports positions over TLS and keeps its spool', async () => {
  const ca = join(location.folder, 'ca.pem')
  await writeFile(ca, server.certificate.ca)
  const position = { id: '1', sourceTimeStamp: new Date(currentTimeMs()).toISOString(), position: { lat: 60, lon: 25 } }

  const { status, stderr } = spawnSync(executable, ['run', '--stdin', '--status', 'off', '--ca', ca], {
    input: JSON.stringify(position),
    encoding: 'utf8',
    env: {
      PATH: '',
      POSREP_AGENT_INGEST: server.ready.ingestOrigin,
      POSREP_AGENT_AUTH: server.ready.authOrigin,
      POSREP_AGENT_SENSOR: 'roof1',
      POSREP_AGENT_CLIENT_ID: fleet.id,
      POSREP_AGENT_CLIENT_SECRET: fleet.secret,
      POSREP_AGENT_STATE_DIR: join(location.folder, 'agent'),
    },
  })

  expect([status, stderr]).toEqual([0, 'posrep-agent: 1 accepted, 0 refused, 0 dropped, 0 not sent, 0 unusable\n'])
})
