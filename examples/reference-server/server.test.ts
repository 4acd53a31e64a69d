/** A sensor of the seed gets a token and reports; the stage and the storage do their part. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleet } from './seed.ts'
import { startReferenceServer } from './server.ts'

const urn = 'urn:aa:device:acme:roof1'
let folder: string
let running: Awaited<ReturnType<typeof startReferenceServer>>

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reference-server-'))
  // Plain HTTP, as behind a proxy; with TLS the test would have to trust the development CA.
  running = await startReferenceServer({ POSREP_PORT: '0', POSREP_DATA_DIR: folder, POSREP_INSECURE_HTTP: 'true' })
})

after(async () => {
  await running.server.stop()
  await rm(folder, { recursive: true })
})

async function getToken(): Promise<string> {
  const form = {
    grant_type: 'client_credentials',
    client_id: fleet.id,
    client_secret: fleet.secret,
    device_id: 'roof1',
  }
  const response = await fetch(`${running.server.origins.auth}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  assert.equal(response.status, 200)
  return (await response.json()).access_token
}

async function report(token: string, lat: number): Promise<number> {
  const position = {
    id: '461f9c',
    sourceTimeStamp: new Date().toISOString(),
    position: { lat, lon: 24.9633 },
    altitudes: [{ height: 120, datum: 'msl' }],
    groundVelocity: { x: 70, y: 0, z: -2 },
    target: { ids: [{ id: '461f9c', type: 'ICAO' }] },
  }
  const response = await fetch(`${running.server.origins.ingest}/v1/position-reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ positions: [position] }),
  })
  await response.body?.cancel()
  return response.status
}

/** Newest first, once the pipeline has stored them. */
async function readTags(count: number): Promise<string[][]> {
  for (;;) {
    const { entries } = await running.storage.recentReports.list(urn, { sinceMs: 0, limit: 10 })
    if (entries.length === count) return entries.map(({ tags }) => tags)
    await sleep(20)
  }
}

test('a report of an aircraft low over the airport is stored with the tag of the stage, another one without', async () => {
  const token = await getToken()
  assert.equal(await report(token, 60.3172), 202)
  assert.equal(await report(token, 61), 202)
  const [far, near] = await readTags(2)
  assert.deepEqual([near?.includes('low-over-airport'), far?.includes('low-over-airport')], [true, false])
})
