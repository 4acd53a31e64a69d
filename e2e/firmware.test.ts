/**
 * docs/firmware.md against the server: each curl command and each raw request gets the answer that the page shows.
 * In the page `…` stands for a value that differs each time.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from './a-user.ts'
import { testWith } from './parts.ts'
import { deviceUrn, seed } from './seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from './server-process.ts'
import { trust } from './trust.ts'

interface Block {
  language: string
  code: string
}

let blocks: Block[]
let location: ServerLocation
let server: ServerProcess
const variables = { ACCESS_TOKEN: '', REFRESH_TOKEN: '' }

beforeAll(async () => {
  const page = await readFile(new URL('../docs/firmware.md', import.meta.url), 'utf8')
  blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
  location = await aServerLocation(seed)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
  await writeFile(join(location.folder, 'ca.pem'), server.certificate.ca)
})
afterAll(async () => {
  await server.stop()
  await location.remove()
})

test('the page has the blocks that are tested here', () => {
  expect(blocks.map(({ language }) => language).join(' ')).toBe(
    'sh http json sh http json sh http json sh http http sh json sh json sh json sh json',
  )
})

testWith('curl', 'docs/firmware.md with curl')('each curl command gets the answer that stands below it', async () => {
  const user = await aUser(server)
  await user.createPairingRequest(deviceUrn)
  for (const [index, { language, code }] of blocks.entries()) {
    if (language !== 'sh') continue
    const answer = curl(code)
    const shown = blocks
      .slice(index + 1)
      .find(({ language, code }) => language === 'json' || code.startsWith('HTTP/1.1'))
    if (shown?.language === 'json') expectAnswer(answer.body, shown.code)
    else expect([answer.status, answer.body]).toEqual([202, ''])
  }
})

test('each request as bytes gets the answer that stands below it', async () => {
  const user = await aUser(server)
  await user.createPairingRequest(deviceUrn)
  for (const [index, { language, code }] of blocks.entries()) {
    if (language !== 'http' || code.startsWith('HTTP/1.1')) continue
    const answer = await sendBytes(code)
    const shown = blocks[index + 1]
    if (shown?.language === 'json') expectAnswer(answer.body, shown.code)
    else expect(answer.text).toMatch(/^HTTP\/1\.1 202 Accepted\r\n[\s\S]*Content-Length: 0\r\n[\s\S]*\r\n\r\n$/)
    expect(answer.text.indexOf('\r\n\r\n')).toBeLessThan(2_048)
  }
})

test('the lengths of the bodies without a token are right', () => {
  for (const { language, code } of blocks) {
    const [head = '', body = ''] = code.split('\n\n')
    if (language !== 'http' || body.includes('$') || !code.startsWith('POST')) continue
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body.trimEnd())}`)
  }
})

test('the sizes of the table hold', () => {
  expect(variables.ACCESS_TOKEN.length).toBeLessThan(996)
  expect(variables.REFRESH_TOKEN.length).toBeLessThan(128)
  const [, , , , , , , , , , report] = blocks
  const { positions } = JSON.parse(report?.code.split('\n\n')[1] ?? '')
  const position = JSON.stringify(positions[0])
  expect(position.length).toBeGreaterThan(200)
  expect(position.length).toBeLessThan(260)
  const batch = Array.from({ length: 100 }, (_, n) => ({
    ...positions[0],
    id: `${n}-1767767700`,
    sourceTimeStamp: new Date(1_767_767_700_000 + n * 137).toISOString(),
    target: { ids: [{ id: (0x461000 + ((n * 7_919) % 60) * 4_096).toString(16), type: 'ICAO' }] },
    position: { lat: 60 + ((n * 0.734_567) % 1), lon: 24 + ((n * 0.312_345) % 1) },
  }))
  expect(gzipSync(JSON.stringify({ positions: batch })).length / 100).toBeLessThan(60)
})

function withVariables(text: string): string {
  return text
    .replaceAll('localhost:8443', new URL(server.ready.origin).host)
    .replaceAll(/\$(ACCESS_TOKEN|REFRESH_TOKEN)/g, (_, name: keyof typeof variables) => variables[name])
}

function curl(command: string): { status: number; body: string } {
  const quiet = withVariables(command.trim()).replace(/^curl /, "curl -s -w '\\n%{http_code}' ")
  const { stdout } = spawnSync('sh', ['-c', quiet], { cwd: location.folder, encoding: 'utf8' })
  const end = stdout.lastIndexOf('\n')
  const body = stdout.slice(0, end)
  remember(body)
  return { status: Number(stdout.slice(end + 1)), body }
}

/** Sends the block with CR LF, and with the length of the body after the tokens were put in. */
async function sendBytes(code: string): Promise<{ text: string; body: string }> {
  const [head = '', body = ''] = withVariables(code).split('\n\n')
  const content = body.trimEnd()
  const lines = head.replace(/Content-Length: \d+/, `Content-Length: ${Buffer.byteLength(content)}`).split('\n')
  const { hostname, port } = new URL(server.ready.origin)
  const socket = connect({ host: hostname, port: Number(port), servername: hostname, ca: server.certificate.ca })
  await once(socket, 'secureConnect')
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${content}`)
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  const answered = text.slice(text.indexOf('\r\n\r\n') + 4)
  remember(answered)
  return { text, body: answered }
}

function remember(body: string): void {
  const tokens = body.startsWith('{') ? JSON.parse(body) : {}
  variables.ACCESS_TOKEN = tokens.access_token ?? tokens.accessToken ?? variables.ACCESS_TOKEN
  variables.REFRESH_TOKEN = tokens.refresh_token ?? tokens.refreshToken ?? variables.REFRESH_TOKEN
}

/** The same members with the same values in the same order, without white space. */
function expectAnswer(body: string, shown: string): void {
  const pattern = JSON.stringify(JSON.parse(shown))
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('…', '[^"]+')
    // A second may have passed since the token was issued.
    .replaceAll('86400', '86(?:400|39\\d)')
  expect(body).toMatch(new RegExp(`^${pattern}$`))
  expect(body.length).toBeLessThan(2_048)
}
