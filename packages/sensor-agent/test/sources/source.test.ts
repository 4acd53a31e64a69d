import { expect, test } from 'vitest'
import { AgentError } from '../../src/errors.ts'
import { defineSource, runSource } from '../../src/sources/source.ts'
import { aPosition } from '../support/an-agent.ts'
import { runASource } from '../support/run-a-source.ts'

test('a source of your own reports positions, and what is not a position is counted and returned to it', async () => {
  const wrong = { ...aPosition(2), position: { lat: 91, lon: 0 } }
  const source = defineSource('serial port', async ({ report, unusable }) => {
    expect(await report(aPosition(1))).toBeUndefined()
    expect((await report(wrong, 'frame 7'))?.code).toBe('invalid_position')
    unusable('frame 8: checksum')
  })

  const running = runASource(source)

  expect(await running.ended).toEqual({ positions: 1, unusable: 2 })
  expect(running.unusable).toEqual([expect.stringMatching(/^frame 7: position.position.lat/), 'frame 8: checksum'])
})

test('an error of the agent ends the source', async () => {
  const closed = new AgentError('agent_closed', 'The agent is closed')
  const agent = { report: async () => Promise.reject(closed), reportJson: async () => {}, flush: async () => {}, stats }

  await expect(
    runSource(
      defineSource('x', ({ report }) => report([]).then(() => {})),
      agent,
    ),
  ).rejects.toBe(closed)
})

test('a source that can wait does so while the spool is full', async () => {
  let flushed = 0
  const agent = {
    report: async () => {},
    reportJson: async () => {},
    flush: async () => void (flushed += 1),
    stats: () => ({ spooledBytes: 101 }),
  }

  await runSource(
    defineSource('x', ({ room }) => room()),
    agent,
    { maxSpooledBytes: 100 },
  )

  expect(flushed).toBe(1)
})

test('a source needs a name', () => {
  expect(() => defineSource(' ', async () => {})).toThrow('"name" must not be empty')
})

function stats() {
  return { spooledBytes: 0 }
}
