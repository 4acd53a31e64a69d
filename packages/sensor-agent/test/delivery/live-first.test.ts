import { expect, test } from 'vitest'
import { memorySpool } from '../../src/spool/memory-spool.ts'
import { anAgent, aPosition, ids, positions } from '../support/an-agent.ts'
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
