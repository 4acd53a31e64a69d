/** A report from the agent through the server, over TLS and with its database, to the relay; each is a real process. */
import { fileURLToPath } from 'node:url'
import type { Client } from '@posrep/client-sdk'
import { clientCredentials, createAgent } from '@posrep/sensor-agent'
import { replay } from '@posrep/sensor-agent/sources'
import type { PositionData } from '@posrep/spec'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aRelay, type TestRelay } from '../parts/a-relay.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, fleet, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

const recording = fileURLToPath(new URL('../../packages/server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url))
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

test('every position of the recording arrives at the relay exactly as sent, in order, unknown fields included', async () => {
  const { server } = await aRunningServer()
  const { client, relay } = await aUserWithRelay(server)
  const { agent, sent } = anAgent(server)

  for await (const position of quickReplay(1_000)) await agent.report(sent(position))
  await agent.flush()
  await until('all positions are relayed', () => positionsOf(relay).length >= sent.positions.length)

  expect(positionsOf(relay)).toEqual(sent.positions)
  expect(relay.received.every(({ delivery }) => delivery.verified)).toBe(true)
  const [device] = (await client.listDevices()).data
  expect(device).toMatchObject({
    deviceId: deviceUrn,
    relayDetails: { url: relay.url, state: 'Active', failureDescription: null },
  })
  const recent = (await client.listRecentReports(deviceUrn)).data
  expect(recent.toReversed().flatMap(({ positions }) => positions)).toEqual(sent.positions)
  await agent.close()
  expect(await server.stop()).toBe(0)
})

test('a server that is killed while it relays reports loses no accepted report and keeps the order', async () => {
  const { location, server } = await aRunningServer()
  const { relay } = await aUserWithRelay(server)
  const { agent, sent } = anAgent(server)
  let current = server

  let taken = 0
  let release = () => {}
  for await (const position of quickReplay(1_200)) {
    await agent.report(sent(position))
    taken++
    if (taken % 300 === 240 && taken < 900) release = relay.hold()
    if (taken % 300 === 0 && taken < 1_200) {
      // Only the server has the reports that were answered 202 and have not arrived.
      await until('reports wait in the server', () => agent.stats().accepted > firsts(positionsOf(relay)).length)
      await current.kill()
      release()
      current = await startServer(location, '--seed', `${location.folder}/seed.json`, '--allow-private-relays')
      endings.push(() => current.kill())
    }
  }
  await agent.flush()
  await until('all positions are relayed', () => firsts(positionsOf(relay)).length >= sent.positions.length)

  expect(agent.stats()).toMatchObject({ accepted: sent.positions.length, refused: 0, dropped: 0 })
  expect(firsts(positionsOf(relay))).toEqual(sent.positions)
  expect(repetitionsWithNewId(relay)).toEqual([])
  await agent.close()
  expect(await current.stop()).toBe(0)
})

async function aRunningServer(): Promise<{ location: ServerLocation; server: ServerProcess }> {
  const location = await aServerLocation(seed)
  const server = await startServer(location, '--seed', `${location.folder}/seed.json`, '--allow-private-relays')
  endings.push(location.remove, () => server.kill())
  trust(server.certificate.ca)
  return { location, server }
}

async function aUserWithRelay({ ready, certificate }: ServerProcess): Promise<{ client: Client; relay: TestRelay }> {
  const relay = await aRelay({ ...certificate, from: ready.authOrigin })
  endings.push(relay.stop)
  const client = await aUser({ ready })
  const device = await client.updateRelay(deviceUrn, { url: relay.url, state: 'Active' })
  expect(device.relayDetails).toEqual({ url: relay.url, state: 'Active', failureDescription: null })
  return { client, relay }
}

function anAgent({ ready }: ServerProcess) {
  const tokens = clientCredentials({
    authOrigin: new URL(ready.authOrigin),
    clientId: fleet.id,
    clientSecret: fleet.secret,
    localId: 'roof1',
  })
  const agent = createAgent({
    ingestOrigin: new URL(ready.ingestOrigin),
    sensor: 'roof1',
    tokens,
    batchSize: 20,
    maxDelayMs: 50,
    // The order of all positions is checked, also through restarts of the server.
    backlogAfterMs: Number.POSITIVE_INFINITY,
  })
  endings.push(() => agent.close({ drain: false }))

  /** Adds members that the document does not name, and records the position. */
  function sent(position: PositionData): PositionData {
    const withUnknown = { ...position, xReceiver: { gainDecibel: 49.6, antennas: ['north', null, 'süd'] } }
    sent.positions.push(withUnknown)
    return withUnknown
  }
  sent.positions = [] as PositionData[]
  return { agent, sent }
}

async function* quickReplay(count: number): AsyncGenerator<PositionData> {
  let played = 0
  for await (const position of replay(recording, { speed: 1_000 })) {
    yield position
    if (++played === count) return
  }
}

function positionsOf({ received }: TestRelay): PositionData[] {
  return received.flatMap(({ report }) => report.positions)
}

/** Removes repetitions: with at-least-once delivery some positions come again, always with the same id. */
function firsts(positions: PositionData[]): PositionData[] {
  return [...new Map(positions.toReversed().map((position) => [position.id, position])).values()].toReversed()
}

/** The reports that came twice with different message ids. */
function repetitionsWithNewId({ received }: TestRelay): string[] {
  const idOf = new Map<string, string | undefined>()
  return received.flatMap(({ report, delivery }) => {
    const key = JSON.stringify(report.positions)
    const known = idOf.get(key)
    idOf.set(key, known ?? delivery.id)
    return known !== undefined && known !== delivery.id ? [key] : []
  })
}
