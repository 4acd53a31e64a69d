/** Runs every code block of the README against the demo, with the ports of this test. */
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createClient } from '@posrep/client-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../testing/free-port.ts'
import { until } from '../../testing/real-time.ts'
import { describeWith } from '../parts/requirements.ts'
import { pilot } from '../parts/seed.ts'
import {
  aServerLocation,
  launchServer,
  runToEnd,
  type ServerLocation,
  type ServerProcess,
  startServer,
} from '../parts/server-process.ts'
import { signInAndApprove } from '../parts/sign-in.ts'
import { trust } from '../parts/trust.ts'
import { type Runtime, spawnOn, testOn } from '../runtimes/runtimes.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

let blocks: { language: string; code: string }[]
let folder: string
let location: ServerLocation
let server: ServerProcess
let relayPort: number
/** On a free port: the one of the README may be in use, for example by another run. */
let appPort: number
const callback = () => `http://127.0.0.1:${appPort}/callback`

beforeAll(async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
})

/** An empty folder outside of the repository, with the packages as a release would have them. */
async function aProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-readme-'))
  await run(process.execPath, [join(root, 'scripts/tarballs.ts'), join(folder, 'tarballs')], { cwd: folder })
  await run('npm', ['init', '-y'], { cwd: folder })
  const tarballs = (await readdir(join(folder, 'tarballs'))).map((name) => `./tarballs/${name}`)
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder })
  return folder
}

test('every code block has a test', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sh', '', 'sh', 'sh', 'js', 'js', 'js', 'json', 'sh', 'sh'])
})

test('the commands of the repository are scripts', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const commands = `${block('sh', 0)}${block('sh', 1)}`.matchAll(/^npx -y pnpm@12\.21\.0 (\w+)/gm)
  expect([...commands].map(([, script = '']) => script in scripts)).toEqual([true, true, true])
})

describeWith('the package registry', "the README's quick starts")('the quick start', () => {
  beforeAll(async () => {
    folder = await aProject()
    relayPort = await findFreePort()
    appPort = await findFreePort()
    location = await aServerLocation()
    server = await startServer(location, '--demo')
    trust(server.certificate.ca)
    const change = ['clients', 'update', 'demo-cli', '--redirect-uri', callback(), '--allow-loopback-redirects']
    expect((await runToEnd([...change, '--data-dir', join(location.folder, 'data')])).stderr).toBe('')
  })
  afterAll(async () => {
    await server.stop()
    await Promise.all([location.remove(), rm(folder, { recursive: true })])
  })

  for (const runtime of ['Node 22', 'Node 24'] as const) {
    testOn(runtime)(`for apps signs a user in and lists the devices, on ${runtime}`, async () => {
      const app = await runBlock(0, runtime)
      const url = (await app.line('Open ')).slice('Open '.length)
      await fetch(await signInAndApprove({ url }, pilot, callback()))

      expect(await app.line('urn:aa:device:demo:roof1')).toBe('urn:aa:device:demo:roof1 Active')
      expect(await app.ended()).toBe(0)
    })

    testOn(runtime)(`for relays receives what that for sensors reports, on ${runtime}`, async () => {
      const relay = await runBlock(1, runtime)
      const token = await readFile(join(location.folder, 'data/demo-user-token'), 'utf8')
      const user = createClient({ origin: server.ready.origin, getToken: () => token })
      const url = `https://localhost:${relayPort}/`
      const setRelay = () => user.updateRelay('urn:aa:device:demo:roof2', { url, state: 'Active' })
      await until('the relay is Active', async () => (await setRelay()).relayDetails?.state === 'Active')
      const sensor = await runBlock(2, runtime)

      expect(await sensor.ended()).toBe(0)
      expect(sensor.output()).toContain('accepted: 1,')
      expect(await relay.line('urn:aa:device:demo:roof2/')).toMatch(/^\S+ urn:aa:device:demo:roof2 1$/)
      relay.process.kill()
      await relay.ended()
    })
  }

  test('for integrators starts a server with that seed, and adds a client for an app', async () => {
    await writeFile(join(folder, 'seed.json'), block('json', 0))
    const [npx, program, ...flags] = block('sh', 3).trim().split(' ')
    expect([npx, program]).toEqual(['npx', 'posrep-server'])
    const own = await aServerLocation()
    const values = new Map([
      ['seed.json', join(folder, 'seed.json')],
      ['posrep-data', join(own.folder, 'data')],
      ['8443', String(own.port)],
    ])
    const seeded = await launchServer(own, {
      flags: flags.map((flag) => values.get(flag) ?? flag),
      program: join(folder, 'node_modules/.bin/posrep-server'),
    }).ready
    trust(seeded.certificate.ca)
    const form = {
      grant_type: 'client_credentials',
      client_id: 'fleet',
      client_secret: 'change-me-please',
      scope: 'surveillance_api',
      device_id: 'roof1',
    }
    const [, , ...command] = block('sh', 4).trim().split(' ')
    const added = await run(
      join(folder, 'node_modules/.bin/posrep-server'),
      command.map((flag) => values.get(flag) ?? flag),
    )
    expect(added.stdout).toContain('Added the client "my-app"')
    const response = await fetch(`${seeded.ready.authOrigin}/oauth/v2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    await seeded.stop()
    await own.remove()
    expect(response.status).toBe(200)
  })
})

function block(language: string, index: number): string {
  return blocks.filter((candidate) => candidate.language === language)[index]?.code ?? ''
}

interface Running {
  process: ChildProcess
  output(): string
  /** Resolves with the first line that begins with `start`. */
  line(start: string): Promise<string>
  ended(): Promise<number | null>
}

/** Runs a block in a file of its own, with the ports of this test. */
async function runBlock(index: number, runtime: Runtime): Promise<Running> {
  const file = join(folder, `block-${index}.mjs`)
  const code = block('js', index)
    .replaceAll('localhost:8443', `localhost:${location.port}`)
    .replaceAll('<clone>/.posrep', join(location.folder, 'data'))
    .replaceAll('8765', String(appPort))
    .replace('8444', String(relayPort))
  await writeFile(file, code)
  const process_ = spawnOn(runtime, file, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_EXTRA_CA_CERTS: server.ready.caFile },
  })
  const lines: string[] = []
  const waiting = new Set<(line: string) => void>()
  if (!process_.stdout) throw new Error('There is no pipe for the output')
  createInterface({ input: process_.stdout }).on('line', (line) => {
    lines.push(line)
    for (const listener of waiting) listener(line)
  })
  return {
    process: process_,
    output: () => lines.join('\n'),
    line: (start) =>
      new Promise((resolve) => {
        const look = (line: string) => {
          if (!line.startsWith(start)) return
          waiting.delete(look)
          resolve(line)
        }
        waiting.add(look)
        for (const line of lines) look(line)
      }),
    async ended() {
      if (process_.exitCode === null) await once(process_, 'close')
      return process_.exitCode
    },
  }
}
