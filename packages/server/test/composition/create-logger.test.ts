import { expect, test } from 'vitest'
import { createLogger, type LoggerOptions } from '../../src/composition/create-logger.ts'

function linesOf(options: Pick<LoggerOptions, 'format' | 'level'>): string[] {
  const lines: string[] = []
  const logger = createLogger({ ...options, output: { write: (text) => void lines.push(text) }, colour: false })
  logger.debug({}, 'about details')
  logger.warn({ times: 2 }, 'about something')
  return lines
}

test('in the json format a line is one JSON object', () => {
  const lines = linesOf({ format: 'json', level: 'info' })

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, times: 2, msg: 'about something' }),
  ])
  expect(lines[0]).toMatch(/\n$/)
})

test('in the pretty format a line has time, level and message', () => {
  const lines = linesOf({ format: 'pretty', level: 'debug' })

  expect(lines).toEqual([
    expect.stringMatching(/^\[\d\d:\d\d:\d\d\] DEBUG: about details\n$/),
    expect.stringMatching(/^\[\d\d:\d\d:\d\d\] WARN: about something \{"times":2\}\n$/),
  ])
})
