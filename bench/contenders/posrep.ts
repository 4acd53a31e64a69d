/**
 * This server with its default behaviour: plain HTTP, durable answers and signed JWTs as access tokens.
 * It logs only warnings, because the others log nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type StartOptions, startProcess } from './start-process.ts'

export const serverProgram = fileURLToPath(new URL('bin/serve.js', import.meta.resolve('@posrep/server')))
export const client = { client_id: 'fleet', client_secret: 's3cret-fleet' }
export const deviceCount = 50

const seed = {
  accounts: [{ id: 'acme', name: 'Acme Sensing' }],
  clients: [
    {
      id: client.client_id,
      secret: client.client_secret,
      name: 'Fleet',
      account: 'acme',
      grants: ['client_credentials', 'refresh_token'],
      scopes: ['surveillance_api'],
    },
  ],
  sensors: Array.from({ length: deviceCount }, (_, device) => ({ localId: `roof${device}`, client: client.client_id })),
}

export interface Posrep {
  port: number
  pid: number
  /** Requests new tokens for a device with client_credentials. */
  tokensFor(device: number): Promise<{ accessToken: string; refreshToken: string }>
  /** The value of the line of /metrics that begins with `start`. */
  readMetric(start: string): Promise<number>
  stop(): Promise<void>
}

/** @param args Further arguments of the server */
export async function startPosrep(args: string[] = [], options: StartOptions = {}): Promise<Posrep> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-bench-'))
  const seedFile = join(folder, 'seed.json')
  await writeFile(seedFile, JSON.stringify(seed))
  const flags = ['--host', '127.0.0.1', '--port', '0', '--insecure-http', '--data-dir', join(folder, 'data')]
  const quiet = ['--log-format', 'json', '--log-level', 'warn']
  const { ready, pid, stop } = await startProcess(
    serverProgram,
    [...flags, '--seed', seedFile, ...quiet, ...args],
    options,
  )
  const port = Number(new URL(String(ready.origin)).port)
  const origin = `http://127.0.0.1:${port}`
  return {
    port,
    pid,
    async tokensFor(device) {
      const body = new URLSearchParams({ ...client, grant_type: 'client_credentials', device_id: `roof${device}` })
      const answer = await fetch(`${origin}/oauth/v2/token`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`No token for device ${device}: ${answer.status} ${await answer.text()}`)
      // The response as the document defines it.
      const tokens = (await answer.json()) as { access_token: string; refresh_token: string }
      return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token }
    },
    async readMetric(start) {
      return toMetric(await (await fetch(`${origin}/metrics`)).text(), start)
    },
    async stop() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** @param text The text of /metrics */
export function toMetric(text: string, start: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(start))
  // A counter that is still 0 has no line.
  return Number(line?.slice(line.lastIndexOf(' ')) ?? 0)
}
