/** Lines for people (`pretty`) or for machines (`json`, one object per line), on stdout. */
import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Logger } from './ports/logger.ts'

export interface LoggerOptions {
  format: 'pretty' | 'json'
  level: 'debug' | 'info' | 'warn' | 'error'
  colour: boolean
}

export function createLogger({ format, level, colour }: LoggerOptions): Logger {
  const destination =
    format === 'pretty'
      ? pretty({ colorize: colour, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
      : undefined
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }
  return destination ? pino(options, destination) : pino(options)
}
