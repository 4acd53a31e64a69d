import type { PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { AgentError } from '../../src/errors.ts'
import { defineSource, runSource } from '../../src/sources/source.ts'
import { anAgent, aPosition, positions } from '../support/an-agent.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { runASource } from '../support/run-a-source.ts'

test('a source of your own reports positions, and what is not a position is counted and returned to it', async () => {
  const wrong = { ...aPosition(2), position: { lat: 91, lon: 0 } }
  const source = defineSource('serial port', async ({ report, unusable }) => {
    expect(await report(aPosition(1))).toBeUndefined()
    expect((await report(wrong, 'frame 7'))?.code).toBe('invalid_position')
    unusable('frame 8: checksum')
  })

  const running = runASource(source)

  expect(await running.ended).toEqual({
    positions: 1,
    unusable: 2,
    reasons: { invalid_position: 1, unreadable: 1 },
  })
  expect(running.unusable).toEqual([expect.stringMatching(/^frame 7: position.position.lat/), 'frame 8: checksum'])
})

test('an error of the agent ends the source', async () => {
  const closed = new AgentError('agent_closed', 'The agent is closed')
  const agent = { report: async () => Promise.reject(closed), reportJson: async () => {}, stats }

  await expect(
    runSource(
      defineSource('x', ({ report }) => report([]).then(() => {})),
      agent,
    ),
  ).rejects.toBe(closed)
})

test('a source that can wait does so while the spool has more than its share', async () => {
  const { clock, agent, source } = aWaitingSource()
  agent.spooledBytes = 101

  const running = runSource(source, agent, { maxSpooledBytes: 100, clock })
  await clock.advance(60_000)
  expect(agent.reported).toEqual(['1'])
  agent.spooledBytes = 100
  await clock.advance(1_000)

  await running
  expect(agent.reported).toEqual(['1', '2'])
})

test('a source that waits for room ends when it is stopped', async () => {
  const { clock, agent, source } = aWaitingSource()
  const stop = new AbortController()
  agent.spooledBytes = 101

  const running = runSource(source, agent, { maxSpooledBytes: 100, clock, signal: stop.signal })
  await clock.advance(1_000)
  stop.abort()

  await running
})

test('a source that waits for room ends when the agent is closed', async () => {
  const { agent, clock } = anAgent(() => new Response(null, { status: 503 }))
  const source = defineSource('file', async ({ report, room }) => {
    await report(positions(1, 10))
    await room()
  })

  const running = runSource(source, agent, { maxSpooledBytes: 100, clock })
  const ended = expect(running).rejects.toThrow('The agent is closed')
  await clock.advance(1_000)
  await agent.close({ drain: false })
  await clock.advance(1_000)

  await ended
})

test('one bad position of a list does not take the others with it', async () => {
  const wrong = { ...aPosition(2), groundVelocity: { x: Number.NaN, y: 0 } }
  const running = runASource(
    defineSource('receiver', async ({ report }) => {
      expect((await report([aPosition(1), wrong, aPosition(3)]))?.code).toBe('invalid_position')
    }),
  )

  expect(await running.ended).toMatchObject({ positions: 2, unusable: 1 })
  expect(running.positions.map(({ id }) => id)).toEqual(['1', '3'])
  expect(running.unusable).toEqual([expect.stringContaining('groundVelocity.x')])
})

test('a source needs a name', () => {
  expect(() => defineSource(' ', async () => {})).toThrow('"name" must not be empty')
})

function stats() {
  return { spooledBytes: 0 }
}

/** Reports two positions, and waits for room between them. */
function aWaitingSource() {
  const agent = {
    spooledBytes: 0,
    reported: [] as string[],
    async report(given: PositionData | readonly PositionData[]) {
      agent.reported.push(...[given].flat().map(({ id }) => id))
    },
    reportJson: async () => {},
    stats: () => ({ spooledBytes: agent.spooledBytes }),
  }
  const source = defineSource('file', async ({ report, room, signal }) => {
    await report(aPosition(1))
    await room()
    if (!signal.aborted) await report(aPosition(2))
  })
  return { clock: createManualClock(), agent, source }
}
