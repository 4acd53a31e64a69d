/** The operator contract of the command line: what is wrong is one clear line, and exit 2. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seed } from './seed.ts'
import { aPlace, runToEnd, startServer } from './server-process.ts'

const wrong: Record<string, { flags: string[]; says: string }> = {
  'a port that is no port': { flags: ['--port', '70000'], says: '--port must be a port from 0 to 65535, got "70000"' },
  'a time without a unit': {
    flags: ['--metric-window', '60'],
    says: '--metric-window must be a time such as "90s", "15m" or "24h", got "60"',
  },
  'an origin with a path': {
    flags: ['--ui-origin', 'https://a.example/x'],
    says: '--ui-origin must be an origin, with no path, query or user name, got "https://a.example/x"',
  },
  'half of a certificate': {
    flags: ['--tls-cert', 'cert.pem'],
    says: '--tls-cert and --tls-key must be given together',
  },
  'a demo off loopback': {
    flags: ['--demo', '--host', '0.0.0.0'],
    says: '--demo has public passwords and runs on loopback only, got --host "0.0.0.0"',
  },
  'plain HTTP in the open': { flags: ['--insecure-http', '--host', '0.0.0.0'], says: '--insecure-http needs' },
  'a seed that is not there': {
    flags: ['--memory', '--seed', 'nowhere.json'],
    says: '--seed "nowhere.json" cannot be read',
  },
}

for (const [what, { flags, says }] of Object.entries(wrong)) {
  test(`${what} is refused with one line and exit 2`, async () => {
    const { code, stdout, stderr } = await runToEnd(['--port', '0', ...flags])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain(says)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
}

test('an unknown flag is refused with one line and exit 2', async () => {
  const { code, stderr } = await runToEnd(['--prot', '1'])
  expect(stderr).toBe("posrep-server: unknown option '--prot' (Did you mean --port?)\n")
  expect(code).toBe(2)
})

test('a word that is no command is refused with one line and exit 2', async () => {
  const { code, stderr } = await runToEnd(['user', 'list'])
  expect(stderr).toBe(`posrep-server: unknown command 'user'; to list the commands: posrep-server --help\n`)
  expect(code).toBe(2)
})

test('a variable is read where there is no flag, and its name stands in the message', async () => {
  const { code, stderr } = await runToEnd(['--memory'], { POSREP_PORT: 'http' })
  expect(stderr).toContain('POSREP_PORT must be a port from 0 to 65535, got "http"')
  expect(code).toBe(2)
})

test('a seed entry that contradicts another one is named', async () => {
  const place = await aPlace({ ...seed, sensors: [{ localId: 'roof 1', client: 'fleet' }] })
  const { code, stderr } = await runToEnd(['--port', '0', '--memory', '--seed', join(place.folder, 'seed.json')])
  await place.remove()
  expect(stderr).toContain('at sensors.0.localId: "roof 1" must be 1 to 255 letters and digits')
  expect(code).toBe(2)
})

test('a database of something else is refused, and left as it is', async () => {
  const place = await aPlace()
  await writeFile(
    join(place.folder, 'posrep.sqlite'),
    'this is no database, and long enough to have a header of its own',
  )
  const { code, stderr } = await runToEnd(['--port', '0', '--data-dir', place.folder])
  await place.remove()
  expect(stderr).toContain('cannot be used: file is not a database')
  expect(code).toBe(2)
})

test('a data folder that another server works on is refused', async () => {
  const place = await aPlace()
  const server = await startServer(place)
  const { code, stderr } = await runToEnd(['--port', '0', '--data-dir', join(place.folder, 'data')])
  await server.stop()
  await place.remove()
  expect(stderr).toContain('another posrep-server is running on it')
  expect(code).toBe(2)
})

test('a port that is taken is refused', async () => {
  const place = await aPlace()
  const server = await startServer(place)
  const { code, stderr } = await runToEnd(['--port', String(place.port), '--memory'])
  await server.stop()
  await place.remove()
  expect(stderr).toContain(`Cannot listen on "127.0.0.1" port ${place.port}`)
  expect(code).toBe(2)
})

test('the ready line names every origin, the CA file and the process', async () => {
  const place = await aPlace()
  const server = await startServer(place, '--auth-origin', 'https://auth.example.com')
  const lines = server
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ event }) => event === 'ready')).toEqual([
    {
      event: 'ready',
      origin: `https://localhost:${place.port}`,
      authOrigin: 'https://auth.example.com',
      ingestOrigin: `https://localhost:${place.port}`,
      uiOrigin: `https://localhost:${place.port}`,
      caFile: join(place.folder, 'data', 'development-ca.pem'),
      pid: expect.any(Number),
    },
  ])
  expect(await server.stop()).toBe(0)
  await place.remove()
})
