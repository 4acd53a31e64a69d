import { expect, test } from 'vitest'
import { memorySpool } from '../../src/spool/memory-spool.ts'
import { anAgent, aPosition, ids, positions } from '../support/an-agent.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { accepted, problem } from '../support/network.ts'

/** An agent with positions 1 to 1000 from an outage of an hour, and the network back. */
async function afterAnOutage() {
  let down = true
  const made = anAgent(() => (down ? problem(503) : accepted()), { backlogPerSecond: 100 })
  await made.agent.report(positions(1, 1_000))
  await made.clock.advance(3_600_000)
  down = false
  made.network.seen.length = 0
  return made
}

test('after an outage new positions go at once, and the backlog follows at its pace', async () => {
  const { agent, clock, network } = await afterAnOutage()

  await agent.report(positions(2_001, 2_010))
  await clock.advance(60_000)
  await agent.report(positions(2_011, 2_020))
  const before = network.reports().length
  await clock.advance(1_000)

  expect(network.reports()[0]).toEqual(ids(2_001, 2_010))
  expect(network.reports().slice(before)).toContainEqual(ids(2_011, 2_020))
  expect(agent.stats().spooled).toBeLessThan(1_000)
})

test('the backlog is sent in order, not faster than its pace', async () => {
  const { agent, clock, network } = await afterAnOutage()
  await clock.advance(60_000)
  const atStart = agent.stats().accepted

  await clock.advance(4_000)

  expect(agent.stats().accepted - atStart).toBeLessThanOrEqual(500)
  await clock.advance(20_000)
  expect(network.reports().flat()).toEqual(ids(1, 1_000))
  expect(agent.stats()).toMatchObject({ spooled: 0, backlog: 0 })
})

test('live positions and the backlog each keep their order while both are sent', async () => {
  const { agent, clock, network } = await afterAnOutage()

  for (let second = 0; second < 40; second += 1) {
    await agent.report(positions(2_001 + second * 5, 2_005 + second * 5))
    await clock.advance(1_000)
  }
  await clock.advance(60_000)

  const sent = network.reports().flat().map(Number)
  const backlog = sent.filter((id) => id <= 1_000)
  const live = sent.filter((id) => id > 2_000)
  expect(backlog).toEqual(ids(1, 1_000).map(Number))
  expect(live).toEqual(ids(2_001, 2_200).map(Number))
  // They took turns: a live position was sent before the backlog was empty.
  expect(sent.indexOf(2_020)).toBeLessThan(sent.indexOf(1_000))
})

test('a short failure keeps the order of all positions', async () => {
  const { agent, clock, network } = anAgent((_, at) => (at < 2 ? problem(503) : accepted()))

  await agent.report(positions(1, 2))
  await clock.advance(1_500)
  await agent.report(positions(3, 4))
  await clock.advance(10_000)

  expect(network.reports().at(-1)).toEqual(ids(1, 4))
})

test('what the spool has at the start is the backlog', async () => {
  const spool = memorySpool()
  await spool.append(
    positions(1, 300).map((position) => JSON.stringify(position)),
    0,
  )
  const { agent, clock, network } = anAgent(undefined, { spool, backlogPerSecond: 100 })

  await clock.advance(500)
  await agent.report(aPosition('live'))
  await clock.advance(1_000)
  expect(agent.stats().backlog).toBeGreaterThan(0)
  await clock.advance(5_000)

  expect(network.reports()).toEqual([ids(1, 100), ids(101, 200), ['live'], ids(201, 300)])
})

test('at the start, positions of the last seconds are live; older ones do not delay them', async () => {
  const spool = memorySpool()
  const clock = createManualClock()
  const texts = (first: number, last: number) => positions(first, last).map((position) => JSON.stringify(position))
  await spool.append(texts(1, 500), clock.now(), clock.elapsed() - 3_600_000)
  await spool.append(texts(501, 510), clock.now(), clock.elapsed() - 3_000)
  const { agent, network } = anAgent(undefined, { spool, clock, backlogPerSecond: 100 })
  network.seen.length = 0

  await agent.report(aPosition('live'))
  await clock.advance(1_000)

  const sent = network.reports().flat()
  expect(sent.slice(0, 10)).toEqual(ids(501, 510))
  expect(sent).toContain('live')
  expect(agent.stats().backlog).toBeGreaterThan(0)
  await clock.advance(10_000)
  expect(network.reports().flat()).toHaveLength(511)
  expect(
    network
      .reports()
      .flat()
      .filter((id) => Number(id) <= 500),
  ).toEqual(ids(1, 500))
})

test('at the start, positions of which the spool cannot say how long they have waited are the backlog', async () => {
  const spool = memorySpool()
  const clock = createManualClock()
  await spool.append([JSON.stringify(aPosition('1'))], clock.now() + 3_600_000)
  const { agent } = anAgent(() => problem(503), { spool, clock })
  await clock.advance(100)
  expect(agent.stats().backlog).toBe(1)
})

test('on a link that is too slow for all positions, those that go out are new', async () => {
  const clock = createManualClock()
  const lateMs: number[] = []
  const { agent } = anAgent(
    async ({ ids }) => {
      await clock.sleep(4_000)
      lateMs.push(...ids.map((at) => clock.now() - Number(at)))
      return accepted()
    },
    { clock },
  )

  for (let second = 0; second < 300; second += 1) {
    await agent.report(Array.from({ length: 50 }, () => aPosition(clock.now())))
    await clock.advance(1_000)
  }

  expect(Math.max(...lateMs)).toBeLessThan(11_000 + 2 * 4_000)
  expect(agent.stats()).toMatchObject({ retries: 0, backlog: expect.any(Number) })
  expect(agent.stats().backlog).toBeGreaterThan(5_000)
})

test('after a failure of 30 s the first positions that arrive are those of the last seconds', async () => {
  let down = true
  const { agent, clock, network } = anAgent(() => (down ? problem(503) : accepted()))
  const second = async (at: number) => {
    await agent.report(positions(at * 50, at * 50 + 49))
    await clock.advance(1_000)
  }
  for (let at = 0; at < 30; at += 1) await second(at)
  network.seen.length = 0
  down = false

  let at = 30
  for (; agent.stats().accepted === 0; at += 1) await second(at)
  expect(Number(network.reports()[0]?.[0])).toBeGreaterThan((at - 13) * 50)
  await clock.advance(60_000)

  expect(agent.stats()).toMatchObject({ accepted: at * 50, backlog: 0 })
})

test('flush() sends the backlog without its pace', async () => {
  const { agent, clock, network } = await afterAnOutage()
  await clock.advance(60_000)

  const flushed = agent.flush()
  await clock.advance(0)
  await flushed

  expect(network.reports().flat()).toEqual(ids(1, 1_000))
})

test('a backlog of which one position is refused goes on', async () => {
  let down = true
  const { agent, clock, refused } = anAgent(({ ids }) => {
    if (down) return problem(503)
    return ids.includes('37') ? problem(400) : accepted()
  })
  await agent.report(positions(1, 200))
  await clock.advance(600_000)
  down = false
  await clock.advance(120_000)

  expect(refused.map(({ json }) => json)).toEqual([JSON.stringify(aPosition(37))])
  expect(agent.stats()).toMatchObject({ accepted: 199, refused: 1, spooled: 0, backlog: 0 })
})
