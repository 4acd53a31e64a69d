import { expect, test } from 'vitest'
import type { Output } from '../../../src/bin/output.ts'
import { withoutRepetitions } from '../../../src/bin/run/repeated-lines.ts'
import { createManualClock } from '../../support/manual-clock.ts'

function anOutput() {
  const clock = createManualClock()
  const lines: string[] = []
  const output = { event: (_: string, message: string) => void lines.push(message) } as Output
  return { clock, lines, output: withoutRepetitions(output, clock) }
}

test('2,000 lines of one trouble are one line a minute, with their number', async () => {
  const { clock, lines, output } = anOutput()
  for (let line = 1; line <= 2_000; line += 1) {
    output.event('unusable', `SBS: odd line ${line}`, { source: 'SBS', reason: 'unreadable' })
    await clock.advance(100)
  }
  output.endRepeated()

  expect(lines).toEqual([
    'SBS: odd line 1',
    'SBS: odd line 601 (and 599 more like it since the last such line)',
    'SBS: odd line 1201 (and 599 more like it since the last such line)',
    'SBS: odd line 1801 (and 599 more like it since the last such line)',
    'SBS: odd line 2000 (and 198 more like it since the last such line)',
  ])
})

test('other troubles, other sources, and other texts are told at once; a text is the same whatever its numbers', () => {
  const { lines, output } = anOutput()
  output.event('unusable', 'a', { source: 'SBS', reason: 'unreadable' })
  output.event('unusable', 'b', { source: 'SBS', reason: 'null_island' })
  output.event('unusable', 'c', { source: 'UDP', reason: 'unreadable' })
  output.event('source', 'SBS: closed; next try in 1.3 s')
  output.event('source', 'SBS: closed; next try in 17.9 s')
  output.event('source', 'SBS: connected')

  expect(lines).toEqual(['a', 'b', 'c', 'SBS: closed; next try in 1.3 s', 'SBS: connected'])
})
