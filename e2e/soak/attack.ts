/**
 * The attacks of the soak with a hostile account. Each runs in a thread of its own, so that it does not delay the good account's
 * requests in this process. All of them use the public HTTP interface only.
 * In: `workerData`, and any message to stop. Out: 'started', then the number of answers per kind of request and status.
 */
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { createClient } from '@posrep/client-sdk'
import { aReportText, aSensor } from '../a-sensor.ts'
import { signIn } from '../a-user.ts'
import { mapView, redirectUri } from '../seed.ts'
import type { Ready } from '../server-process.ts'
import { trust } from '../trust.ts'
import { hostileParties, type Party, urnOf } from './hostile-parties.ts'
import { answerSlowly } from './slow-answer.ts'

export type AttackName = keyof typeof attacks

export interface AttackData {
  attack: AttackName
  ready: Ready
  certificate: { cert: string; key: string; ca: string }
  /** The good account's relay, which also answers the hostile devices, slowly. */
  sharedUrl: string
}

/** Prepares the attack; then calls `started`, and attacks until `stopping` aborts. */
type Attack = (data: AttackData, started: () => void, stopping: AbortSignal) => Promise<void>

const mebibyte = 1024 * 1024
const counts: Record<string, number> = {}

const attacks = {
  /** Reports of 1 MiB from eight sensors, 1 kB each on the wire, and requests for everything that is stored of them. */
  async 'stored-reports'({ ready, certificate }, started, stopping) {
    const party = getParty(0)
    const localIds = party.localIds.slice(0, 8)
    const relay = await aSlowRelay(certificate)
    const session = await signIn({ ready }, party.user)
    const client = createClient({ origin: ready.origin, session })
    for (const localId of localIds) await client.updateRelay(urnOf(party, localId), { url: relay, state: 'Active' })
    const at = { origin: ready.origin, ca: certificate.ca, client: party.client }
    const sensors = await Promise.all(localIds.map((localId) => aSensor({ ...at, localId })))
    const reports = sensors.map(({ localId }) =>
      Array.from({ length: 50 }, (_, n) => gzipSync(aReportText(`${localId}:${n}`).padEnd(mebibyte))),
    )
    const authorization = `Bearer ${await session.getAccessToken()}`
    const get = aGetter(ready.uiOrigin, certificate.ca, 24)
    const lists = localIds
      .map((localId) => `/v1/devices/${encodeURIComponent(urnOf(party, localId))}`)
      .flatMap((device) => [
        `${device}/recent`,
        `${device}/recent?limit=200`,
        `${device}/deliveries?state=pending&limit=200`,
      ])
    started()
    await Promise.all([
      ...sensors.flatMap((sensor, at) =>
        repeat(1, stopping, 'reports', async (n) => {
          const headers = { 'content-encoding': 'gzip' }
          return (await sensor.submit(reports[at]?.[n % 50] ?? '', { headers, deadlineMs: 60_000 })).status
        }),
      ),
      ...repeat(24, stopping, 'lists', (n) => get(lists[n % lists.length] ?? '', { authorization })),
    ])
  },

  /** Requests for authorization without a session, with a long `state`. */
  async 'sign-in'({ ready, certificate }, started, stopping) {
    const get = aGetter(ready.authOrigin, certificate.ca, 32)
    started()
    await Promise.all(
      repeat(32, stopping, 'authorize', (n) => {
        const state = `${n}-`.padEnd(14_000, 'x')
        const query = { client_id: mapView.id, redirect_uri: redirectUri, response_type: 'code', state }
        return get(`/oauth/v2/authorize?${new URLSearchParams({ ...query, scope: 'surveillance_api' })}`, {})
      }),
    )
  },

  /** 300 devices whose relays answer after 9 s: 40 on the good account's own host, the others each on its own. */
  async 'slow-relays'({ ready, certificate, sharedUrl }, started, stopping) {
    const sensors = (
      await Promise.all(
        hostileParties.map(async (party) => {
          const session = await signIn({ ready }, party.user)
          const client = createClient({ origin: ready.origin, session })
          const own = []
          for (const [n, localId] of party.localIds.entries()) {
            const url = n < 8 ? sharedUrl : await aSlowRelay(certificate)
            await client.updateRelay(urnOf(party, localId), { url, state: 'Active' })
            own.push(await aSensor({ origin: ready.origin, ca: certificate.ca, client: party.client, localId }))
          }
          return own
        }),
      )
    ).flat()
    let number = 0
    const submitAll = () =>
      Promise.all(
        sensors.map(({ localId, submit }) =>
          counted('reports', async () => (await submit(aReportText(`${localId}:${number++}`))).status),
        ),
      )
    for (let n = 0; n < 5; n++) await submitAll()
    started()
    while (!stopping.aborted) {
      await submitAll()
      await sleep(5_000, undefined, { signal: stopping }).catch(() => {})
    }
  },

  /** Reports of 1,000 positions, each of a target that was never seen before, half of them at one spot, and readers of the air picture. */
  async 'new-targets'({ ready, certificate }, started, stopping) {
    const party = getParty(0)
    const at = { origin: ready.origin, ca: certificate.ca, client: party.client }
    const sensors = await Promise.all(party.localIds.slice(0, 4).map((localId) => aSensor({ ...at, localId })))
    const session = await signIn({ ready }, party.user)
    const authorization = `Bearer ${await session.getAccessToken()}`
    const get = aGetter(ready.uiOrigin, certificate.ca, 4)
    started()
    await Promise.all([
      ...sensors.flatMap(({ localId, submit }) =>
        repeat(1, stopping, 'reports', async (n) => (await submit(newTargets(`${localId}:${n}`))).status),
      ),
      ...repeat(4, stopping, 'pictures', () => get('/v1/air/tracks?limit=10000', { authorization })),
    ])
  },
} satisfies Record<string, Attack>

function newTargets(name: string): string {
  const sourceTimeStamp = new Date().toISOString()
  const spread = () => (Math.random() < 0.5 ? 0 : Math.random() * 5)
  return JSON.stringify({
    positions: Array.from({ length: 1_000 }, (_, n) => ({
      id: `${name}:${n}`,
      sourceTimeStamp,
      target: { sourceId: `${name}:${n}` },
      position: { lat: 50 + spread(), lon: 10 + spread(), accuracy: 20 },
      altitudes: [{ height: 100 * (n % 100), datum: 'msl' }],
      groundVelocity: { x: 50, y: 0, z: 0 },
    })),
  })
}

function getParty(index: number): Party {
  const party = hostileParties[index]
  if (!party) throw new RangeError(`There are ${hostileParties.length} hostile accounts, none has the index ${index}`)
  return party
}

/** A relay on a port of its own; a port is a host to the server. */
async function aSlowRelay({ cert, key }: AttackData['certificate']): Promise<string> {
  const server = https.createServer({ cert, key }, answerSlowly)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A TCP server's address is an AddressInfo.
  return `https://localhost:${(server.address() as AddressInfo).port}/slow`
}

/** Requests that read the answer to its end, and keep nothing of it. */
function aGetter(origin: string, ca: string, connections: number) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: connections, ca })
  return (path: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const signal = AbortSignal.timeout(60_000)
      https
        .get(new URL(path, origin), { agent, headers, signal }, (response) => {
          response.once('error', reject).once('end', () => resolve(response.statusCode ?? 0))
          response.resume()
        })
        .once('error', reject)
    })
}

/** `parallel` loops. */
function repeat(parallel: number, stopping: AbortSignal, kind: string, request: (n: number) => Promise<number>) {
  return Array.from({ length: parallel }, async (_, first) => {
    for (let n = first; !stopping.aborted; n += parallel) await counted(kind, () => request(n))
  })
}

async function counted(kind: string, request: () => Promise<number>): Promise<void> {
  const answer = await request().catch(() => 'unanswered')
  counts[`${kind} ${answer}`] = (counts[`${kind} ${answer}`] ?? 0) + 1
  // Otherwise a server that has ended would be asked without a pause.
  if (answer === 'unanswered') await sleep(100)
}

if (parentPort) {
  const port = parentPort
  const data: AttackData = workerData
  const stopping = new AbortController()
  trust(data.certificate.ca)
  port.once('message', () => {
    stopping.abort()
    port.postMessage(counts)
    // The requests in flight are not awaited: the server may have ended.
    process.exit(0)
  })
  await attacks[data.attack](data, () => port.postMessage('started'), stopping.signal)
}
