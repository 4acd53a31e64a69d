/**
 * A data folder in which relays are owed messages, and the certificate that those relays can have.
 * In: where, how many. Out: when every message is in the delivery log; the server that took them has ended, since
 * whoever is measured is to be another process, and one that finds all of them owed.
 */
import { setTimeout } from 'node:timers/promises'
import { createSystemClock, type RunningServer, resolveSettings, startServer } from '@posrep/server'
import { Pool } from 'undici'
import { toMetric } from './posrep.ts'
import { type RelayMessages, toRelayUrl, toReport } from './start-relay-sink.ts'

export interface OweOptions extends RelayMessages {
  folder: string
  /** Of the relays, where nobody listens yet. */
  port: number
}

const client = { id: 'fleet', secret: 's3cret-fleet' }
const nothing = () => {}
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const atOnce = 64
/** Of the pipeline, once every report was taken. */
const settleLimitMs = 30_000

export async function oweDeliveries({ folder, port, relays, messages }: OweOptions): Promise<{ caFile: string }> {
  const server = await startServer({
    settings: resolveSettings({
      flags: { port: '0', 'data-dir': folder, 'allow-private-relays': true },
      environment: {},
    }),
    clock: createSystemClock(),
    logger: quiet,
    version: 'bench',
    seeds: [toSeed(relays)],
  })
  const { development } = server
  if (!development) throw new Error('The server has made no certificate')
  const pool = new Pool(server.localOrigin, { connect: { ca: development.ca }, connections: atOnce })
  try {
    await inTurns(relays, (relay) => fill(server, pool, relay, { port, messages }))
    await settled(pool, relays * messages)
  } finally {
    await pool.close()
    await server.stop()
  }
  return { caFile: development.caFile }
}

function toSeed(relays: number) {
  return {
    accounts: [{ id: 'acme', name: 'Acme Sensing' }],
    users: [],
    clients: [
      {
        ...client,
        name: 'Fleet',
        account: 'acme',
        grants: ['client_credentials' as const],
        redirectUris: [],
        partner: false,
        scopes: ['surveillance_api'],
      },
    ],
    sensors: Array.from({ length: relays }, (_, relay) => ({ localId: `roof${relay}`, client: client.id })),
  }
}

async function fill(
  { app }: RunningServer,
  pool: Pool,
  relay: number,
  { port, messages }: { port: number; messages: number },
): Promise<void> {
  await app.devices.change(`urn:aa:device:fleet:roof${relay}`, (device) => ({
    ...device,
    relay: { url: toRelayUrl(port, relay), state: 'Active', failureDescription: null, sinceMs: 0 },
  }))
  const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }
  const token = await ask(pool, '/oauth/v2/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, device_id: `roof${relay}` }).toString(),
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${JSON.parse(token).access_token}` }
  for (let number = 0; number < messages; number++)
    await ask(pool, '/v1/position-reports', { headers, body: toReport(relay, number) })
}

async function ask(
  pool: Pool,
  path: string,
  request: { headers: Record<string, string>; body: string },
): Promise<string> {
  const { statusCode, body } = await pool.request({ ...request, path, method: 'POST' })
  const text = await body.text()
  if (statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${text}`)
  return text
}

async function settled(pool: Pool, owed: number): Promise<void> {
  const endAt = performance.now() + settleLimitMs
  for (;;) {
    const { body } = await pool.request({ path: '/metrics', method: 'GET' })
    const waiting = toMetric(await body.text(), 'posrep_log_waiting{log="delivery"}')
    if (waiting === owed) return
    if (performance.now() > endAt) throw new Error(`${waiting} deliveries are owed, and should be ${owed}`)
    await setTimeout(100)
  }
}

/** Reports of one device follow each other; some devices do so at the same time. */
async function inTurns(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const run = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, run))
}
