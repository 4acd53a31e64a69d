/**
 * Ours, as it is installed: plain HTTP, the embedded database, every answer durable and every access token a signed JWT.
 * It logs warnings only, as the others log nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TokenWork } from '../load/token-load.ts'
import type { Contender } from './contender.ts'
import { startProcess } from './start-process.ts'

const program = fileURLToPath(new URL('bin/serve.js', import.meta.resolve('@posrep/server')))
const client = { client_id: 'fleet', client_secret: 's3cret-fleet' }

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
  sensors: [{ localId: 'roof1', client: client.client_id }],
}

export async function startPosrep({ grant }: Pick<TokenWork, 'grant'>): Promise<Contender> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-bench-'))
  const seedFile = join(folder, 'seed.json')
  await writeFile(seedFile, JSON.stringify(seed))
  const place = ['--host', '127.0.0.1', '--port', '0', '--insecure-http', '--data-dir', join(folder, 'data')]
  const { ready, pid, stop } = await startProcess(program, [
    ...place,
    '--seed',
    seedFile,
    '--log-format',
    'json',
    '--log-level',
    'warn',
  ])
  const url = `http://127.0.0.1:${new URL(String(ready.authOrigin)).port}/oauth/v2/token`

  async function firstRefreshToken(): Promise<string> {
    const body = new URLSearchParams({ ...client, grant_type: 'client_credentials', device_id: 'roof1' })
    const answer = await fetch(url, { method: 'POST', body })
    // The endpoint's answer, as the document has it.
    const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string }
    return refreshToken
  }

  return {
    pid,
    async prepare(connections) {
      if (grant === 'client_credentials')
        return { url, grant, form: { ...client, device_id: 'roof1' }, refreshTokens: [] }
      const refreshTokens = await Promise.all(Array.from({ length: connections }, firstRefreshToken))
      return { url, grant, form: client, refreshTokens }
    },
    async stop() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}
