/** Wrong settings on the command line: one line on standard error, and exit 2. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seed } from '../parts/seed.ts'
import {
  aServerLocation,
  runToEnd,
  type ServerLocation,
  type ServerProcess,
  startServer,
} from '../parts/server-process.ts'

const wrong: Record<string, { flags: string[]; says: string }> = {
  'an invalid port': { flags: ['--port', '70000'], says: '--port must be a port from 0 to 65535, got "70000"' },
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
  'plain HTTP on a public address': { flags: ['--insecure-http', '--host', '0.0.0.0'], says: '--insecure-http needs' },
  'a missing seed file': {
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

const misspelt: Record<string, { args: string[]; says: string }> = {
  command: { args: ['user', 'list'], says: "unknown command 'user' (Did you mean users?)" },
  subcommand: { args: ['accounts', 'remov', 'acme'], says: "unknown command 'remov' (Did you mean remove?)" },
  'command of a group': { args: ['relay', 'show'], says: "unknown command 'relay' (Did you mean devices relay?)" },
  flag: { args: ['users', 'list', '--acount', 'acme'], says: "unknown option '--acount' (Did you mean --account?)" },
  'command that is like none': { args: ['whatever'], says: "unknown command 'whatever'; --help lists the commands" },
}

for (const [what, { args, says }] of Object.entries(misspelt)) {
  test(`a misspelt ${what} is refused with a suggestion, one line and exit 2`, async () => {
    const { code, stderr } = await runToEnd(args)
    expect([code, stderr]).toEqual([2, `posrep-server: ${says}\n`])
  })
}

test('a variable is used if there is no flag, and its name is in the message', async () => {
  const { code, stderr } = await runToEnd(['--memory'], { POSREP_PORT: 'http' })
  expect(stderr).toContain('POSREP_PORT must be a port from 0 to 65535, got "http"')
  expect(code).toBe(2)
})

test('an invalid seed entry is named', async () => {
  const location = await aServerLocation({ ...seed, sensors: [{ localId: 'roof 1', client: 'fleet' }] })
  const { code, stderr } = await runToEnd(['--port', '0', '--memory', '--seed', join(location.folder, 'seed.json')])
  await location.remove()
  expect(stderr).toContain('at sensors.0.localId: "roof 1" must be 1 to 255 letters and digits')
  expect(code).toBe(2)
})

test('a file that is not a database is refused and not changed', async () => {
  const location = await aServerLocation()
  await writeFile(
    join(location.folder, 'posrep.sqlite'),
    'this is no database, and long enough to have a header of its own',
  )
  const { code, stderr } = await runToEnd(['--port', '0', '--data-dir', location.folder])
  await location.remove()
  expect(stderr).toContain('cannot be used: file is not a database')
  expect(code).toBe(2)
})

describe('while a server runs', () => {
  let location: ServerLocation
  let server: ServerProcess

  beforeAll(async () => {
    location = await aServerLocation()
    server = await startServer(location, '--auth-origin', 'https://auth.example.com')
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    await location.remove()
  })

  test('a second server on its data folder is refused', async () => {
    const { code, stderr } = await runToEnd(['--port', '0', '--data-dir', join(location.folder, 'data')])
    expect(stderr).toContain('another posrep-server is running on it')
    expect(code).toBe(2)
  })

  test('a second server on its port is refused', async () => {
    const { code, stderr } = await runToEnd(['--port', String(location.port), '--memory'])
    expect(stderr).toContain(
      `Cannot listen on "127.0.0.1" port ${location.port}: another program uses it, perhaps an earlier server; stop it, or give another --port`,
    )
    expect(code).toBe(2)
  })

  test('its ready line names every origin, the CA file and the process', () => {
    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ event }) => event === 'ready')).toEqual([
      {
        event: 'ready',
        origin: `https://localhost:${location.port}`,
        authOrigin: 'https://auth.example.com',
        ingestOrigin: `https://localhost:${location.port}`,
        uiOrigin: `https://localhost:${location.port}`,
        caFile: join(location.folder, 'data', 'development-ca.pem'),
        pid: expect.any(Number),
      },
    ])
  })
})
