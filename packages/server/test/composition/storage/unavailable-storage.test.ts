import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../src/composition/app.ts'
import { memoryStorage } from '../../../src/composition/storage/storage.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { ApiError } from '../../../src/errors.ts'
import { applySeed } from '../../../src/seed/apply-seed.ts'
import { resolveSettings } from '../../../src/settings/resolve-settings.ts'
import { aReport } from '../../a-report.ts'
import { seed, silentLogger } from '../../a-server.ts'

/** The names of the ports that reject every call. */
const unavailablePorts = new Set<string>()

/** A port that rejects every call while its name is in the set. */
function interruptible<T extends object>(name: string, port: T): T {
  return new Proxy(port, {
    get(target, key, receiver) {
      const member = Reflect.get(target, key, receiver)
      if (typeof member !== 'function' || !unavailablePorts.has(name)) return member
      return () => Promise.reject(new ApiError('unavailable', 'The store did not take this; try again shortly'))
    },
  })
}

let origin: string
let close: () => void
let app: App
beforeAll(async () => {
  const clock = createManualClock()
  const memory = memoryStorage({ clock })
  const storage = {
    ...memory,
    store: interruptible('store', memory.store),
    directory: interruptible('directory', memory.directory),
    reportLog: interruptible('reportLog', memory.reportLog),
    recentReports: interruptible('recentReports', memory.recentReports),
  }
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
  close = () => server.close()
  const origins = { auth: origin, ingest: origin, ui: origin }
  const settings = resolveSettings({ flags: {}, environment: {} })
  app = await createApp({ settings, storage, origins, clock, logger: silentLogger, version: '1.2.3' })
  await applySeed(
    { ...seed, users: [] },
    { directory: storage.directory, clock, devices: app.devices, audit: app.audit },
  )
  app.readiness.started()
  server.on('request', app.listener)
})
afterAll(() => close())

async function post(path: string, headers: Record<string, string> = {}, body?: string | URLSearchParams) {
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: text && JSON.parse(text) }
}

const tokenRequest = () =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'fleet',
    client_secret: 's3cret-fleet',
    device_id: 'roof1',
  })

async function during<T>(port: string, work: () => Promise<T>): Promise<T> {
  unavailablePorts.add(port)
  try {
    return await work()
  } finally {
    unavailablePorts.delete(port)
  }
}

const unavailable = { status: 503, retryAfter: '1', body: { code: 'unavailable' } }

test('a report is answered with 503, not 202, while the log is unavailable', async () => {
  const { body: tokens } = await post('/oauth/v2/token', {}, tokenRequest())
  const headers = { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' }
  const send = () => post('/v1/position-reports', headers, JSON.stringify(aReport()))

  expect(await during('reportLog', send)).toMatchObject(unavailable)
  expect((await send()).status).toBe(202)
})

test('a pairing poll is answered with 503, not 404, while the store is unavailable', async () => {
  const consume = () => post('/v1/pairing-tokens/consume-token?clientUniqueId=roof1')
  expect(await during('store', consume)).toMatchObject(unavailable)
  expect((await consume()).status).toBe(404)
})

test.each(['store', 'directory'])(
  'a token request is answered with 503, not 401, while the %s is unavailable',
  async (port) => {
    const answer = await during(port, () => post('/oauth/v2/token', {}, tokenRequest()))
    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
  },
)

test('the answers with 503 are those that docs/firmware.md shows', async () => {
  const page = await readFile(new URL('../../../../../docs/firmware.md', import.meta.url), 'utf8')
  const shown = [...page.matchAll(/^HTTP\/1\.1 503 Service Unavailable\n([^`]*?)\n\n(.*)$/gm)]
  const { body: tokens } = await post('/oauth/v2/token', {}, tokenRequest())
  const json = { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' }
  const answers = [
    await during('store', () => post('/v1/pairing-tokens/consume-token?clientUniqueId=roof1')),
    await during('store', () => post('/oauth/v2/token', {}, tokenRequest())),
    await during('reportLog', () => post('/v1/position-reports', json, JSON.stringify(aReport()))),
  ]

  for (const [index, { body, status, retryAfter }] of answers.entries()) {
    const [, head = '', text = ''] = shown[index] ?? []
    expect(status).toBe(503)
    expect(retryAfter).toBe(/Retry-After: (.*)/.exec(head)?.[1] ?? null)
    const { detail, ...rest } = JSON.parse(text)
    expect(body).toEqual(detail === '…' ? { ...rest, detail: expect.any(String) } : JSON.parse(text))
  }
})

test('while the store is unavailable the process is not ready, but healthy', async () => {
  const status = async (path: string) => (await fetch(`${origin}${path}`)).status
  expect(await during('store', async () => [await status('/readyz'), await status('/healthz')])).toEqual([503, 200])
  expect(await status('/readyz')).toBe(200)
})
