/** Runs every code block of the README against the demo, with the ports of this test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aListeningRelay } from './receiver/a-listening-relay.ts'
import { pilot } from './seed.ts'
import { aServerLocation, runToEnd, type ServerLocation, type ServerProcess, startServer } from './server-process.ts'
import { signInAndApprove } from './sign-in.ts'
import { trust } from './trust.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')

let blocks: { language: string; code: string }[]
let folder: string
let location: ServerLocation
let server: ServerProcess

beforeAll(async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
  // In this folder, so that the packages can be resolved.
  folder = await mkdtemp(join(here, '.readme-'))
  location = await aServerLocation()
  server = await startServer(location, '--demo')
  trust(server.certificate.ca)
})
afterAll(async () => {
  await server.stop()
  await Promise.all([location.remove(), rm(folder, { recursive: true })])
})

test('every code block has a test', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sh', '', 'ts', 'ts', 'ts', 'sh', 'json'])
})

test('the two commands are scripts of the repository', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const commands = block('sh', 0).matchAll(/^npx -y pnpm@12\.21\.0 (\w+)/gm)
  expect([...commands].map(([, script = '']) => script in scripts)).toEqual([true, true])
})

test('the quick start for apps signs a user in and lists the devices', async () => {
  const app = await runBlock(0)
  const url = (await app.line('Open ')).slice('Open '.length)
  const callback = await signInAndApprove({ url }, pilot, 'https://localhost/demo/callback')
  app.process.stdin?.write(`${callback}\n`)

  expect(await app.line('urn:aa:device:demo:roof1')).toBe('urn:aa:device:demo:roof1 Active')
  expect(await app.ended()).toBe(0)
})

test('the quick start for sensors reports a position', async () => {
  const sensor = await runBlock(1)
  expect(await sensor.ended()).toBe(0)
  expect(sensor.output()).toContain('accepted: 1,')
})

test('the quick start for relays answers the validation of the service, and refuses one that is not signed', async () => {
  const relay = await runBlock(2)
  const address = 'http://localhost:8098/positions'
  const unsigned = { name: 'validate', version: '1.0', validationCode: '0f8fad5b-d9cb-469f-a165-70867728950e' }
  const refused = await postWhenListening(address, unsigned)
  const proxy = await aListeningRelay(server.certificate, (request, response) => {
    const forwarded = httpRequest(address, { method: 'POST', headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  const flags = [
    '--data-dir',
    join(location.folder, 'data'),
    '--allow-private-relays',
    '--relay-ca',
    server.ready.caFile,
  ]
  const set = await runToEnd(['devices', 'relay', 'set', 'urn:aa:device:demo:roof2', `${proxy.origin}/`, ...flags])
  await proxy.cut()
  relay.process.kill()

  expect(JSON.parse(refused)).toMatchObject({ status: 401, code: 'invalid_signature' })
  expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('Active') })
})

test('the quick start for integrators starts a server with that seed', async () => {
  await writeFile(join(folder, 'seed.json'), block('json', 0))
  const [program, ...flags] = block('sh', 1).trim().split(' ')
  expect(program).toBe('posrep-server')
  const own = await aServerLocation()
  const inFolder = flags.map((flag) =>
    flag === 'seed.json' ? join(folder, flag) : flag === '8443' ? String(own.port) : flag,
  )
  const seeded = await startServer(
    own,
    ...inFolder.map((flag) => (flag === 'posrep-data' ? join(own.folder, 'data') : flag)),
  )
  trust(seeded.certificate.ca)
  const form = {
    grant_type: 'client_credentials',
    client_id: 'fleet',
    client_secret: 'change-me-please',
    scope: 'surveillance_api',
    device_id: 'roof1',
  }
  const response = await fetch(`${seeded.ready.authOrigin}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  await seeded.stop()
  await own.remove()
  expect(response.status).toBe(200)
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

/** Runs a TypeScript block in a separate file, with the ports of this test. */
async function runBlock(index: number): Promise<Running> {
  const file = join(folder, `block-${index}.ts`)
  const code = block('ts', index)
  await writeFile(file, code.replaceAll('localhost:8443', `localhost:${location.port}`).replaceAll('8080', '8098'))
  const process_ = spawn(process.execPath, [file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: server.ready.caFile },
  })
  const lines: string[] = []
  const waiting = new Set<(line: string) => void>()
  createInterface({ input: process_.stdout }).on('line', (line) => {
    // A question is printed before the next line, on the same line.
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

/** Repeats the POST until the server listens. */
async function postWhenListening(url: string, message: object): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
      })
      return await response.text()
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
