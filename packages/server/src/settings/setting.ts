/** One row of the table of settings. */
import { readers } from './value-readers.ts'

export interface Setting<T> {
  /** Name of the flag, without dashes. */
  name: string
  /** Placeholder of the value in the help. A setting without one is a switch. */
  value?: string
  help: string
  read(text: string): T
  default: T
  /** The default as text for the help, if it differs from `String(default)`. */
  shownDefault?: string
  /** Error messages do not contain the value. */
  secret?: true
}

export function setting<T>(
  name: string,
  value: string | undefined,
  help: string,
  read: (text: string) => T,
  byDefault: T,
): Setting<T> {
  return { name, ...(value !== undefined && { value }), help, read, default: byDefault }
}

/** A duration: `90s`, `15m` or `24h` as text, ms as value. */
export function timeSetting(name: string, help: string, byDefault: string): Setting<number> {
  return { ...setting(name, 'TIME', help, readers.duration, readers.duration(byDefault)), shownDefault: byDefault }
}
