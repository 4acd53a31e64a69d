/**
 * What a relay needs around it: a service with one sensor, and an HTTPS address in front of the relay.
 * In: the relay's program. Out: everything running, the relay validated and Active.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const device = 'urn:aa:device:fleet:roof1'
const secret = 's3cret-fleet'
const seed = {
  accounts: [{ id: 'acme', name: 'Acme Sensing' }],
  users: [],
  clients: [
    {
      ...{ id: 'fleet', secret, name: 'Fleet', account: 'acme' },
      grants: ['client_credentials', 'refresh_token'],
      scopes: ['surveillance_api'],
    },
  ],
  sensors: [{ localId: 'roof1', client: 'fleet', name: 'Roof' }],
}

export async function startJourney(program: string) {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-example-'))
  const [relayPort, addressPort, servicePort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const origin = `http://127.0.0.1:${relayPort}`
  const service = `https://localhost:${servicePort}`
  const running: ChildProcess[] = []

  // The HTTPS address: it makes a certificate, which the service trusts.
  const forwardTo = ['--forward-to', `${origin}/position-reports`, '--port', String(addressPort)]
  await start('posrep-relay', ['listen', ...forwardTo, '--cert-dir', folder], /^TIME/m)
  const relayCa = ['--allow-private-relays', '--relay-ca', join(folder, 'relay-cert.pem')]

  await writeFile(join(folder, 'seed.json'), JSON.stringify(seed))
  const data = ['--data-dir', join(folder, 'data')]
  const serve = ['--port', String(servicePort), '--seed', join(folder, 'seed.json'), '--log-format', 'json']
  await start('posrep-server', [...serve, ...data, ...relayCa], /"event":"ready"/)
  const ca = join(folder, 'data', 'development-ca.pem')

  const environment = { ISSUER: service, DEVICE: device, PORT: String(relayPort), NODE_EXTRA_CA_CERTS: ca }
  await start(process.execPath, [program], /listening/, { ...environment, RECORD: join(folder, 'reports.ndjson') })
  // The service sends a validation message, which the receiver answers.
  const relay = ['devices', 'relay', 'set', device, `https://localhost:${addressPort}/`]
  assert.equal(await run('posrep-server', [...relay, ...data, ...relayCa]), 0)

  return {
    folder,
    origin,
    device,
    async reportOnePosition(): Promise<object> {
      const position = {
        id: '461F9C-1',
        sourceTimeStamp: new Date().toISOString(),
        position: { lat: 60.3172, lon: 24.9633, accuracy: 92.6 },
        target: { type: 'aa:target:aircraft', ids: [{ id: '461F9C', type: 'ICAO' }] },
      }
      const to = ['--ingest', service, '--auth', service, '--ca', ca, '--sensor', 'roof1', '--client-id', 'fleet']
      const sent = run(
        'posrep-agent',
        ['run', '--stdin', '--state-dir', join(folder, 'agent'), '--status', 'off', ...to],
        { POSREP_AGENT_CLIENT_SECRET: secret },
        `${JSON.stringify(position)}\n`,
      )
      assert.equal(await sent, 0)
      return position
    },
    /** Sends a message that the service has not signed. Resolves with the exit code. */
    trigger: (message: string) =>
      run('posrep-relay', ['trigger', message, `${origin}/position-reports`, '--device', device]),
    async until(isTrue: () => Promise<boolean>): Promise<void> {
      const endMs = performance.now() + 30_000
      while (!(await isTrue())) {
        assert.ok(performance.now() < endMs, 'the report has not arrived after 30 s')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async stop(): Promise<void> {
      for (const child of running.reverse()) {
        child.kill()
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      await rm(folder, { recursive: true })
    },
  }

  /** Resolves when the output matches. */
  async function start(
    command: string,
    args: string[],
    ready: RegExp,
    env: Record<string, string> = {},
  ): Promise<void> {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
    running.push(child)
    let output = ''
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        output += chunk
        if (ready.test(output)) resolve()
      })
      child.once('exit', (code) => reject(new Error(`${command} exited with ${code}:\n${output}`)))
    })
  }
}

async function run(command: string, args: string[], env: Record<string, string> = {}, input = ''): Promise<number> {
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'], env: { ...process.env, ...env } })
  child.stdin.end(input)
  const [code] = await once(child, 'exit')
  return code
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  assert.ok(address && typeof address === 'object')
  return address.port
}
