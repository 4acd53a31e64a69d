/**
 * `posrep-relay listen`: the HTTPS address of a relay on a developer's machine.
 * In: messages of the service. Out: the same messages at a local receiver, whose answer goes back; a line for each on
 * standard output.
 */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { replaceFile } from '@posrep/kernel/replace-file'
import { toVisible } from '@posrep/kernel/visible'
import { toNodeListener } from '../adapters/node.ts'
import { systemClock } from '../ports.ts'
import { readBody } from '../request/read-body.ts'
import { verifySignatures } from '../trust/verify-signatures.ts'
import { type CapturedMessage, toFile } from './captured-message.ts'
import { forward } from './forward.ts'
import { header, toRow } from './message-table.ts'
import { readInput, SettingError, toPort, toReason, toUrl, trustCa } from './settings.ts'

export interface ListenOptions {
  forwardTo: string
  host: string
  port: string
  tlsCert?: string
  tlsKey?: string
  name: string
  certDir: string
  from?: string
  ca?: string
  save?: string
}

const maxBodyBytes = 2 * 1024 * 1024
/** Further ones are closed. The bodies of all of them fit into memory. */
const maxConnections = 100

export async function listen(options: ListenOptions): Promise<void> {
  const target = toUrl('--forward-to', options.forwardTo)
  const port = toPort('--port', options.port)
  await trustCa(options.ca)
  const checkSignature = createCheck(options.from)
  if (options.save !== undefined) await createFolder('--save', options.save)
  const { cert, key, certFile } = await readCertificate(options)
  let count = 0

  const server = https.createServer(
    { cert, key, minVersion: 'TLSv1.2' },
    toNodeListener((request) => answer(request).catch(toFailure)),
  )
  server.maxConnections = maxConnections
  server.listen(port, options.host)
  await once(server, 'listening').catch((cause) => {
    throw new SettingError(`cannot listen on ${options.host}, port ${port}: ${toReason(cause)}`, { cause })
  })
  // A server that listens on TCP has an AddressInfo.
  const { port: listening } = server.address() as AddressInfo
  print(`Relay address https://${options.name}:${listening}/ forwards to ${target.href}`)
  if (certFile) print(`The server trusts its certificate with --relay-ca ${resolve(certFile)} --allow-private-relays`)
  print(header)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

  async function answer(request: Request): Promise<Response> {
    const startedAtMs = systemClock.now()
    const body = await readBody(request, { maxBytes: maxBodyBytes, signal: new AbortController().signal })
    const message = { headers: request.headers, body }
    const signature = await checkSignature(message)
    if (options.save !== undefined)
      await replaceFile(join(options.save, `message-${++count}.http`), toFile(message), { mode: 0o644 })
    const { response, outcome } = await forward(target, request.method, message)
    print(toRow(message, { signature, outcome, startedAtMs, tookMs: systemClock.now() - startedAtMs }))
    return response
  }
}

function createCheck(from: string | undefined): (message: CapturedMessage) => Promise<string> {
  if (from === undefined) return async () => '-'
  let verify: ReturnType<typeof verifySignatures>
  try {
    verify = verifySignatures({ from, onError: (error) => process.stderr.write(`${toVisible(describe(error))}\n`) })
  } catch (cause) {
    throw new SettingError(toReason(cause).replace('"from"', '"--from"'), { cause })
  }
  return ({ headers, body }) => {
    const read = (name: string) => headers.get(name) ?? ''
    const given = { id: read('webhook-id'), timestamp: read('webhook-timestamp'), signature: read('webhook-signature') }
    return verify({ ...given, body }).then(
      () => 'valid',
      () => 'NOT VALID',
    )
  }
}

async function readCertificate({ tlsCert, tlsKey, certDir, name }: ListenOptions) {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const [cert, key] = [await readInput('--tls-cert', tlsCert), await readInput('--tls-key', tlsKey)]
    return { cert, key, certFile: undefined }
  }
  if (tlsCert === tlsKey) {
    // Loaded here, so that the other commands start quickly.
    const { selfSigned } = await import('./self-signed.ts')
    return selfSigned(certDir, name)
  }
  throw new SettingError('"--tls-cert" and "--tls-key" must be given together')
}

async function createFolder(option: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 }).catch((cause) => {
    throw new SettingError(`"${option}" cannot be used: ${toReason(cause)}`, { cause })
  })
}

/** The service sends the message again. */
function toFailure(error: unknown): Response {
  process.stderr.write(`${toVisible(describe(error))}\n`)
  return new Response('The message could not be forwarded', { status: 502 })
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause ? `: ${toReason(error.cause)}` : ''
  return `posrep-relay: ${toReason(error)}${cause}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
