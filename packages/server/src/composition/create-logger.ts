/** Creates the process's logger: lines for people (`pretty`) or one JSON object per line (`json`). */
import { Writable } from 'node:stream'
import { toLiteralJson, toVisibleJson } from '@posrep/kernel/visible'
import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Logger } from '../ports/logger.ts'

/** The standard output, shared by logger, banner and demo. */
export interface Output {
  write(text: string): void
}

export interface LoggerOptions {
  output: Output
  format: 'pretty' | 'json'
  level: 'debug' | 'info' | 'warn' | 'error'
  colour: boolean
}

const maxBufferedCharacters = 1024 * 1024

/**
 * Text that cannot be written, for example because the disk is full, is buffered and written with the next line. When
 * the buffer is full, lines are lost, and the process continues.
 */
export function createOutput(): Output {
  const output = pino.destination({ dest: 1, sync: true, maxLength: maxBufferedCharacters })
  output.on('error', () => {})
  return output
}

export function createLogger({ output, format, level, colour }: LoggerOptions): Logger {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }
  if (format === 'json') return pino(options, { write: (line: string) => output.write(toVisibleJson(line)) })
  const destination = new Writable({
    write(chunk, _encoding, done) {
      output.write(String(chunk))
      done()
    },
  })
  const prettyOptions = { colorize: colour, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }
  const stream = pretty({ ...prettyOptions, destination })
  return pino(options, { write: (line: string) => void stream.write(toLiteralJson(line)) })
}
