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

test.each(['json', 'pretty'] as const)(
  'in the %s format no text of others reaches the terminal as a control sequence',
  (format) => {
    const lines: string[] = []
    const logger = createLogger({
      format,
      level: 'info',
      output: { write: (text) => void lines.push(text) },
      colour: false,
    })
    logger.warn({ name: 'a\u001b[2J\u009b31m\u202e' }, 'b\u001b[2J\u009b31m\u202e')

    expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(lines.join('')).toContain('\\u009b31m')
  },
)
