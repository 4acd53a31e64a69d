/** posrep-relay as a process. The journey with the real server is e2e/receiver/relay-cli.test.ts. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { relayReceiver } from '../../src/adapters/node.ts'
import { createTestSender, type TestMessage } from '../../src/testing/testing.ts'
import { aServer } from '../adapters/a-server.ts'

// Each test starts a process or two.
const bin = fileURLToPath(new URL('../../src/bin/relay.ts', import.meta.url))

test('trigger sends messages that a receiver with the public key accepts', async () => {
  const folder = await aFolder()
  const key = join(folder, 'key.json')
  // The first use creates the key; nothing listens there.
  expect((await run('trigger', 'validate', 'http://127.0.0.1:1/', '--key', key)).code).toBe(1)
  const onReport = vi.fn()
  const from = JSON.parse(await readFile(`${key}.public.json`, 'utf8'))
  const url = await aServer(relayReceiver({ from, clientParts: ['acme'], onReport }))

  const validated = await run('trigger', 'validate', url, '--key', key)
  const reported = await run('trigger', 'position_report', url, '--key', key)
  const foreign = await run('trigger', 'position_report', url, '--key', key, '--device', 'urn:aa:device:other:roof1')
  const unknown = await run('trigger', 'position_report', url)

  expect(validated).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^urn:aa:device:acme:roof1\/\S+\n200 \S+\naccepted\n$/),
  })
  expect(reported).toMatchObject({ code: 0, stdout: expect.stringContaining('204 \naccepted') })
  expect(foreign).toMatchObject({ code: 1, stdout: expect.stringContaining('403 ') })
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('with --key FILE') })
  expect(onReport).toHaveBeenCalledTimes(1)
})

test('an answer of the receiver cannot control the terminal, nor pass for another line', async () => {
  const url = await aServer((request, response) => {
    request.resume()
    response.writeHead(500)
    response.end('no\u001b[2J\u009b31m\u202e\naccepted')
  })

  const { code, stdout } = await run('trigger', 'position_report', url)

  expect(code).toBe(1)
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(stdout).toContain('500 no\\u001b[2J\\u009b31m\\u202e\\u000aaccepted\nnot accepted\n')
})

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` })
})

test('verify says whether a captured message is valid, however old it is', async () => {
  const folder = await aFolder()
  const sender = await createTestSender()
  await writeFile(join(folder, 'keys.json'), JSON.stringify(sender.keys))
  const message = await sender.late(await sender.report())
  const verify = async (captured: TestMessage, ...more: string[]) => {
    const file = join(folder, 'message.http')
    const lines = Object.entries(captured.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    await writeFile(file, `POST / HTTP/1.1\r\n${lines.join('')}\r\n${captured.body}`)
    return run('verify', file, ...more)
  }
  const keys = ['--keys', join(folder, 'keys.json')]

  const valid = await verify(message, ...keys)
  expect(valid.code).toBe(0)
  expect(valid.stdout).toMatch(
    /^signature {2}valid\nmessage {4}position_report, positions: 1\ndevice {5}urn:aa:device:acme:roof1\nsent .* 60\d s ago; a receiver accepts at most 300\n$/,
  )
  expect(await verify(sender.altered(message), ...keys)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("None of the service's keys"),
  })
  expect(await verify(await sender.sign('{"name":"x"}'), ...keys)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('message    not valid'),
  })
  expect(await verify(message)).toMatchObject({ code: 0, stdout: expect.stringContaining('not checked') })
})

test('listen forwards messages over HTTPS, shows each, and saves it for verify', async () => {
  const folder = await aFolder()
  const sender = await createTestSender()
  const onReport = vi.fn()
  const target = await aServer(
    relayReceiver({ from: sender.keys, devices: [sender.device], onReport, onError: () => {} }),
  )
  const listening = await startListening(
    '--forward-to',
    `${target}/in`,
    '--cert-dir',
    folder,
    '--save',
    join(folder, 'new'),
  )
  const ca = await readFile(join(folder, 'relay-cert.pem'), 'utf8')

  expect(await post(listening.url, ca, await sender.validation('0b9f6d4e-5f0e-4f1b-9c55-2f6a0f1f3f51'))).toBe(200)
  expect(await post(listening.url, ca, await sender.report())).toBe(204)
  expect(await post(listening.url, ca, { headers: { 'content-type': 'application/json' }, body: '{' })).toBe(401)

  expect(onReport).toHaveBeenCalledTimes(1)
  const rows = await listening.rows(3)
  expect(rows[0]).toMatch(/^\S+ +validate +urn:aa:device:acme:roof1 +- +- +\d+ +200$/)
  expect(rows[1]).toMatch(/^\S+ +position_report +urn:aa:device:acme:roof1 +1 +- +\d+ +204$/)
  expect(rows[2]).toMatch(/^\S+ +not a message +- +- +- +\d+ +401$/)
  expect((await readdir(join(folder, 'new'))).sort()).toEqual(['message-1.http', 'message-2.http', 'message-3.http'])
  await writeFile(join(folder, 'keys.json'), JSON.stringify(sender.keys))
  expect((await run('verify', join(folder, 'new', 'message-2.http'), '--keys', join(folder, 'keys.json'))).code).toBe(0)
})

test('only the user of listen can write what it saves, whatever the umask is, and everybody can read it', async () => {
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  const folder = await aFolder()
  const saved = join(folder, 'new')
  const listening = await startListening('--forward-to', 'http://127.0.0.1:1/', '--cert-dir', folder, '--save', saved)
  const ca = await readFile(join(folder, 'relay-cert.pem'), 'utf8')
  await post(listening.url, ca, { headers: {}, body: '{}' })

  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  expect([await modeOf(saved), await modeOf(join(saved, 'message-1.http'))]).toEqual(['755', '644'])
})

test('listen has 100 connections, and closes further ones', async () => {
  const { url } = await startListening('--forward-to', 'http://127.0.0.1:1/', '--cert-dir', await aFolder())
  const connect = async () => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const open = await Promise.all(Array.from({ length: 100 }, connect))

  await once((await connect()).resume(), 'close')
  expect(open.filter(({ closed }) => closed)).toEqual([])
})

test('listen answers 502 while the receiver cannot be reached, and keeps its certificate', async () => {
  const folder = await aFolder()
  const start = () => startListening('--forward-to', 'http://127.0.0.1:1/', '--cert-dir', folder)
  const first = await start()
  const ca = await readFile(join(folder, 'relay-cert.pem'), 'utf8')

  expect(await post(first.url, ca, { headers: {}, body: '{}' })).toBe(502)
  expect((await first.rows(1))[0]).toContain('got no response: bad port')
  await start()

  expect(await readFile(join(folder, 'relay-cert.pem'), 'utf8')).toBe(ca)
})

test('listen makes a new certificate where a crash left one without its key, or half of it', async () => {
  const folder = await aFolder()
  const start = () => startListening('--forward-to', 'http://127.0.0.1:1/', '--cert-dir', folder)
  await start()
  const [cert, key] = [join(folder, 'relay-cert.pem'), join(folder, 'relay-key.pem')]
  const old = await readFile(cert, 'utf8')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await start()
  const renewed = await readFile(cert, 'utf8')
  expect(renewed).not.toBe(old)

  await writeFile(cert, renewed.slice(0, 200))
  const { url, rows } = await start()
  expect(await post(url, await readFile(cert, 'utf8'), { headers: {}, body: '{}' })).toBe(502)
  expect(await rows(1)).toHaveLength(1)
})

test('a certificate that is not trusted is named with what to do, by trigger, verify and listen', async () => {
  const folder = await aFolder()
  const { url } = await startListening('--forward-to', 'http://127.0.0.1:1/', '--cert-dir', folder)
  const captured = join(folder, 'message.http')
  const { headers, body } = await (await createTestSender()).report()
  await writeFile(
    captured,
    `${Object.entries(headers)
      .map((header) => header.join(': '))
      .join('\n')}\n\n${body}`,
  )

  const triggered = await run('trigger', 'validate', url)
  expect(triggered.code).toBe(1)
  expect(triggered.stderr).toMatch(/got no response: self-signed certificate.*; to trust its CA: --ca FILE\n$/)
  const verified = await run('verify', captured, '--from', new URL(url).origin)
  expect(verified.code).toBe(1)
  expect(verified.stdout).toMatch(
    /not valid: .*self-signed certificate.*; to trust its CA: NODE_EXTRA_CA_CERTS=FILE.*--ca FILE/,
  )
  const forwarding = await startListening('--forward-to', url, '--cert-dir', folder)
  await post(forwarding.url, await readFile(join(folder, 'relay-cert.pem'), 'utf8'), { headers: {}, body: '{}' })
  expect((await forwarding.rows(1))[0]).toMatch(/self-signed certificate.*; to trust its CA: NODE_EXTRA_CA_CERTS=FILE/)
})

test.each([
  [['listen'], "required option '--forward-to <url>'"],
  [['listen', '--forward-to', 'ftp://x'], '"--forward-to" must be a URL'],
  [['listen', '--forward-to', 'http://localhost', '--port', '70000'], '"--port" must be a port'],
  [['listen', '--forward-to', 'http://localhost', '--tls-key', 'x'], 'must be given together'],
  [
    ['listen', '--forward-to', 'http://localhost', '--from', 'http://auth.example.net'],
    `"--from" must be the service's issuer`,
  ],
  [['listen', '--forward-to', 'http://localhost', '--save', bin], '"--save" cannot be used'],
  [['trigger', 'ping', 'http://localhost'], "'ping' is invalid"],
  [['verify', 'nowhere.http'], '"<file>" cannot be read'],
  [['verify', bin, '--from', 'a', '--keys', 'b'], '"--from" and "--keys" exclude each other'],
])('wrong arguments %j are one line on standard error and exit code 2', async (args, message) => {
  const { code, stderr } = await run(...args)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  expect(stderr).not.toContain('    at ')
})

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-relay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(args)
  const ended = { code: null as number | null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (ended.stdout += chunk))
  child.stderr.on('data', (chunk) => (ended.stderr += chunk))
  await once(child, 'close')
  return { ...ended, code: child.exitCode }
}

function start(args: string[]) {
  return spawn(process.execPath, ['--conditions=@posrep/source', bin, ...args])
}

async function startListening(...args: string[]) {
  const child = start(['listen', '--port', '0', ...args])
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await vi.waitFor(() => expect(lines.at(-1)).toMatch(/^TIME/))
  const [, url = ''] = /(https:\S+)/.exec(lines[0] ?? '') ?? []
  return {
    url,
    async rows(count: number): Promise<string[]> {
      const rows = () => lines.slice(lines.findIndex((line) => line.startsWith('TIME')) + 1)
      await vi.waitFor(() => expect(rows()).toHaveLength(count))
      return rows()
    },
  }
}

function post(url: string, ca: string, { headers, body }: TestMessage): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = https.request(url, { method: 'POST', ca, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject).end(body)
  })
}
