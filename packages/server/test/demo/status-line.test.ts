import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { type StatusLineStyle, startStatusLine } from '../../src/demo/status-line.ts'
import { silentLogger } from '../a-server.ts'

function aStatusLine(style: StatusLineStyle, columns = 120) {
  const clock = createManualClock()
  const totals = { acceptedPositions: 0, processedPositions: 0, relayedPositions: 0, lagMs: 4 }
  const written: string[] = []
  const logged: object[] = []
  const stop = startStatusLine({
    totals: () => ({ ...totals }),
    received: () => totals.relayedPositions,
    clock,
    logger: { ...silentLogger, info: (fields) => void logged.push(fields) },
    style,
    columns: () => columns,
    write: (text) => void written.push(text),
  })
  const pass = (positions: number) => {
    totals.acceptedPositions += positions
    totals.processedPositions += positions
    totals.relayedPositions += positions
  }
  return { clock, pass, written, logged, stop }
}

test('on a terminal one line is overwritten every second', async () => {
  const { clock, pass, written, stop } = aStatusLine('line')
  pass(20)
  await clock.advance(1_000)
  pass(5)
  await clock.advance(1_000)
  stop()

  expect(written).toHaveLength(3)
  // The escape sequence returns to the start of the line and clears it.
  expect(written[0]?.startsWith('\r\u001b[2Kpositions/s')).toBe(true)
  expect(written[0]).toMatch(/accepted +20\.0 .* relayed +20\.0 .* total 20$/)
  expect(written[1]).toMatch(/accepted +5\.0 .* total 25$/)
  expect(written[2]).toBe('\n')
})

test('the line has the figures that fit into the width of the terminal, each whole', async () => {
  const lines: string[] = []
  for (const columns of [40, 80, 120]) {
    const { clock, pass, written, stop } = aStatusLine('line', columns)
    pass(1_234)
    await clock.advance(1_000)
    stop()
    lines.push(written[0]?.replace('\r\u001b[2K', '') ?? '')
  }

  expect(lines).toEqual([
    'positions/s  accepted 1234.0',
    'positions/s  accepted 1234.0  processed 1234.0  relayed 1234.0  lag 4 ms',
    'positions/s  accepted 1234.0  processed 1234.0  relayed 1234.0  lag 4 ms  total 1234',
  ])
})

test('on a pipe the first plain line is written after 2 s, the next ones every 5 s', async () => {
  const { clock, pass, written, stop } = aStatusLine('lines')
  pass(40)
  await clock.advance(2_000)
  await clock.advance(4_999)
  expect(written).toHaveLength(1)
  await clock.advance(1)
  stop()

  expect(written).toHaveLength(2)
  expect(written[0]).toMatch(/^positions\/s {2}accepted +20\.0 .* lag 4 ms .*\n$/)
})

test('with JSON logs the figures are a log line', async () => {
  const { clock, pass, written, logged, stop } = aStatusLine('log')
  pass(2)
  await clock.advance(2_000)
  stop()

  expect(written).toEqual([])
  expect(logged).toEqual([{ traffic: expect.objectContaining({ acceptedPerSecond: 1, receivedTotal: 2 }) }])
})
