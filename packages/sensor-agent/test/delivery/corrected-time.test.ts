import { expect, test } from 'vitest'
import type { AgentOptions } from '../../src/agent-interface.ts'
import { withAgentTime } from '../../src/sources/agent-time.ts'
import { anAgent, aPosition } from '../support/an-agent.ts'

const dayMs = 24 * 3_600_000

/** An agent on a machine whose clock is behind, without a service at first. */
function anAgentBehind(behindMs: number, options: Partial<AgentOptions> = {}) {
  const service = { isUp: false }
  const made = anAgent(() => {
    if (!service.isUp) throw new Error('no network')
    return new Response('', { status: 202, headers: { date: new Date(trueTime()).toUTCString() } })
  }, options)
  const { clock } = made
  const startMs = clock.now()
  const startElapsedMs = clock.elapsed()
  const trueTime = () => startMs + clock.elapsed() - startElapsedMs
  clock.setWallClock(-behindMs)
  const timesOf = () =>
    made.network.seen
      .flatMap(({ body }) => JSON.parse(body).positions as { id: string; sourceTimeStamp: string }[])
      .map(({ id, sourceTimeStamp }) => [id, Date.parse(sourceTimeStamp)] as const)
  return { ...made, service, trueTime, timesOf }
}

test('with correctClock, positions of an outage get the time at which they came, once the service tells its own', async () => {
  const { agent, clock, service, trueTime, timesOf } = anAgentBehind(8 * dayMs, { correctClock: true })
  const cameMs = trueTime()
  const sourceTimeStamp = new Date(clock.now()).toISOString()
  await agent.report([withAgentTime(aPosition('ours', { sourceTimeStamp })), aPosition('theirs', { sourceTimeStamp })])
  await clock.advance(3_600_000)
  service.isUp = true
  await clock.advance(120_000)

  const times = new Map(timesOf())
  expect(Math.abs((times.get('ours') ?? 0) - cameMs)).toBeLessThan(1_000)
  // A time that the source stated is its own.
  expect(times.get('theirs')).toBe(Date.parse(sourceTimeStamp))
})

test('with correctClock, positions of an outage are right after the clock was set meanwhile, also when the service says no time', async () => {
  const { agent, clock, network, alarms } = anAgent(undefined, { correctClock: true, maxDelayMs: 60_000 })
  const cameMs = clock.now()
  clock.setWallClock(-8 * dayMs)
  const sourceTimeStamp = new Date(clock.now()).toISOString()
  await agent.report(withAgentTime(aPosition('1', { sourceTimeStamp })))

  clock.setWallClock(8 * dayMs)
  await clock.advance(60_000)

  const sent = network.seen.flatMap(({ body }) => JSON.parse(body).positions)
  expect(Date.parse(sent[0].sourceTimeStamp)).toBe(cameMs)
  expect(alarms).toEqual([])
})

test('without correctClock every position is sent as it was reported', async () => {
  const { agent, clock, network } = anAgent(undefined, { maxDelayMs: 60_000 })
  const position = withAgentTime(aPosition('1'))
  await agent.report(position)

  clock.setWallClock(8 * dayMs)
  await clock.advance(60_000)

  expect(network.seen.map(({ body }) => JSON.parse(body).positions)).toEqual([[position]])
})
