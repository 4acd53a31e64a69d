/** Lines for people (`pretty`) or for machines (`json`, one object per line), on the output of the process. */
import { Writable } from 'node:stream'
import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Logger } from './ports/logger.ts'

/** Standard output. */
export interface Output {
  write(text: string): void
}

export interface LoggerOptions {
  output: Output
  format: 'pretty' | 'json'
  level: 'debug' | 'info' | 'warn' | 'error'
  colour: boolean
}

/** Of what waits to be written. */
const mostCharacters = 1024 * 1024

/**
 * What cannot be written, as where the disk of the file behind it is full, waits and is written with the next line that
 * can be; where there is no more room for it lines are lost, and nothing but lines.
 */
export function createOutput(): Output {
  const output = pino.destination({ dest: 1, sync: true, maxLength: mostCharacters })
  output.on('error', () => {})
  return output
}

export function createLogger({ output, format, level, colour }: LoggerOptions): Logger {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }
  if (format === 'json') return pino(options, output)
  const destination = new Writable({
    write(chunk, _encoding, done) {
      output.write(String(chunk))
      done()
    },
  })
  const look = { colorize: colour, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }
  return pino(options, pretty({ ...look, destination }))
}
