import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError } from '../../src/errors.ts'
import { createMetrics } from '../../src/service/metrics.ts'
import { createReadiness } from '../../src/service/readiness.ts'
import { aReport } from '../a-report.ts'
import { aServer, type ServerUnderTest } from '../a-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer({
    flags: {
      'auth-origin': 'https://auth.example.com',
      'ingest-origin': 'https://ingest.example.com',
      'ui-origin': 'https://ui.example.com',
    },
  })
})
afterAll(() => server.stop())

const json = async (path: string) => {
  const response = await server.fetch(path)
  return [response.status, await response.json()] as const
}

test('the process is healthy and ready, and reports its version', async () => {
  expect(await json('/healthz')).toEqual([200, { status: 'ok' }])
  expect(await json('/readyz')).toEqual([200, { status: 'ready', reasons: [] }])
  expect(await json('/version')).toEqual([200, { name: 'posrep-server', version: '1.2.3' }])
})

describe('the OpenAPI document', () => {
  interface Served {
    openapi: string
    servers: { url: string; 'x-server': string }[]
    paths: Record<string, { servers?: { url: string }[] }>
    components: {
      securitySchemes: { oauth2: { flows: { authorizationCode: { authorizationUrl: string; tokenUrl: string } } } }
    }
  }

  test("is served with the deployment's own URLs, to pages of any origin", async () => {
    const response = await server.fetch('/openapi.json')
    const document = (await response.json()) as Served

    expect([response.status, document.openapi]).toEqual([200, '3.1.1'])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(document.servers.map(({ url }) => url)).toEqual([
      'https://auth.example.com',
      'https://ingest.example.com',
      'https://ui.example.com',
    ])
    expect(document.paths['/v1/position-reports']?.servers?.map(({ url }) => url)).toEqual([
      'https://ingest.example.com',
    ])
    expect(document.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
      authorizationUrl: 'https://auth.example.com/oauth/v2/authorize',
      tokenUrl: 'https://auth.example.com/oauth/v2/token',
    })
  })
})

describe('metrics', () => {
  test('can be read from this machine only', async () => {
    await server.post('/v1/position-reports', await server.deviceToken(), aReport())
    const response = await server.fetch('/metrics')

    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/),
    ])
    expect(await response.text()).toContain('posrep_positions_total{step="accepted"} 1')
  })

  test.each(['x-forwarded-for', 'forwarded'])('cannot be read through a proxy on this machine: %s', async (header) => {
    const response = await server.fetch('/metrics', { headers: { [header]: 'for=203.0.113.7' } })
    expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ code: 'loopback_only' })])
  })

  test('do not grow with unknown paths', async () => {
    for (let n = 0; n < 20; n++) await server.fetch(`/nothing/${n}`)
    const text = await (await server.fetch('/metrics')).text()
    expect(text).toContain('posrep_request_seconds_count{operation="none",status="404"} 20')
    expect(text).not.toContain('/nothing')
  })

  test('are those of the guide for operators', async () => {
    const guide = await readFile(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
    const documented = [...guide.matchAll(/^\| `(posrep_[a-z_]+)` /gm)].map(([, name]) => name)
    const text = await (await server.fetch('/metrics')).text()
    const own = [...text.matchAll(/^# TYPE (posrep_(?!process_|nodejs_)[a-z_]+) /gm)].map(([, name]) => name)

    expect([...new Set(documented)].sort()).toEqual(own.sort())
  })
})

test('with a metrics token, only a client with that token can read metrics', async () => {
  const guarded = await aServer({ flags: { 'metrics-token': 's3cret-metrics' } })
  try {
    const status = async (authorization?: string) => {
      const response = await guarded.fetch('/metrics', { ...(authorization && { headers: { authorization } }) })
      return response.status
    }
    expect(await status()).toBe(401)
    expect(await status('Bearer s3cret-metric')).toBe(401)
    expect(await status('Bearer s3cret-metrics')).toBe(200)
  } finally {
    await guarded.stop()
  }
})

test('metrics show the writes per commit and the duration of commits', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'posrep-metrics-'))
  const durable = await aServer({ flags: { memory: false, 'data-dir': dataDir } })
  try {
    await durable.post('/v1/position-reports', await durable.deviceToken(), aReport())
    const text = await (await durable.fetch('/metrics')).text()
    expect(text).toMatch(/^posrep_commit_calls_count [1-9]/m)
    expect(text).toMatch(/^posrep_commit_seconds_count [1-9]/m)
  } finally {
    await durable.stop()
    await rm(dataDir, { recursive: true })
  }
})

describe('readiness', () => {
  const clock = createManualClock()
  const store = createMemoryStore({ clock })

  test('begins with the end of the start and ends with the drain', async () => {
    const readiness = createReadiness({ store })
    expect(await readiness.check()).toEqual({ status: 'not_ready', reasons: ['starting'] })
    readiness.started()
    expect((await readiness.check()).status).toBe('ready')
    readiness.draining()
    expect(await readiness.check()).toEqual({ status: 'not_ready', reasons: ['draining'] })
  })

  test('ends while the store is unavailable', async () => {
    const away = { ...store, get: () => Promise.reject(new ApiError('unavailable', 'away')) }
    const readiness = createReadiness({ store: away })
    readiness.started()
    expect(await readiness.check()).toEqual({ status: 'not_ready', reasons: ['store_unavailable'] })
  })

  test.each([
    [{ service: false, partitions: 0 }, []],
    [{ service: false, partitions: 7 }, []],
    [{ service: false, partitions: 8 }, ['store_unavailable', 'all_partitions_away']],
    [{ service: true, partitions: 0 }, ['store_unavailable', 'service_part_away']],
  ])('names the parts of the storage without which nothing works: %j', async (away, reasons) => {
    const readiness = createReadiness({ store, findPartsAway: async () => ({ ...away, of: 8 }) })
    readiness.started()
    expect((await readiness.check()).reasons).toEqual(reasons)
  })

  test('is shown with the parts that are away by the metrics', async () => {
    const findPartsAway = async () => ({ service: false, partitions: 7, of: 8 })
    const text = await createMetrics({ logs: {}, clock, findPartsAway }).text()
    expect(text).toContain('posrep_storage_parts_away{part="service"} 0')
    expect(text).toContain('posrep_storage_parts_away{part="partitions"} 7')
  })
})

describe('the listener', () => {
  const connect = (options: tls.ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const socket = tls.connect({ port: Number(new URL(server.origin).port), host: '127.0.0.1', ...options })
      socket.on('secureConnect', () => {
        resolve(socket.authorized ? String(socket.getProtocol()) : String(socket.authorizationError))
        socket.destroy()
      })
      socket.on('error', (error) => resolve(error.message))
    })

  test('speaks TLS 1.2 and 1.3', async () => {
    const common = { ca: server.certificate.cert, servername: 'localhost' }
    expect(await connect({ ...common, maxVersion: 'TLSv1.2' })).toBe('TLSv1.2')
    expect(await connect(common)).toBe('TLSv1.3')
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
    const old = { minVersion: version, maxVersion: version, ciphers: 'ALL@SECLEVEL=0', rejectUnauthorized: false }
    expect(await connect(old)).toMatch(/protocol version|EPROTO|ECONNRESET/i)
  })

  test("has a certificate for this machine's name and the public origins' hosts", async () => {
    for (const servername of [hostname(), 'auth.example.com', 'ui.example.com']) {
      expect(await connect({ ca: server.certificate.cert, servername, host: '127.0.0.1' })).toBe('TLSv1.3')
    }
  })
})
