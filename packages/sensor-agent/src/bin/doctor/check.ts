/**
 * One check of `posrep-agent doctor`: what was looked at, how it is, and what to do. Each ends in time, so that
 * `doctor` does.
 */
import { type Clock, systemClock } from '../../ports.ts'

export interface Check {
  name: string
  /** `skipped`: a check before it failed, or there is nothing to check. */
  result: 'ok' | 'warning' | 'failed' | 'skipped'
  detail: string
  /** What to do; only for `warning` and `failed`. */
  advice?: string
}

export function ok(name: string, detail: string): Check {
  return { name, result: 'ok', detail }
}

export function warning(name: string, detail: string, advice: string): Check {
  return { name, result: 'warning', detail, advice }
}

export function failed(name: string, detail: string, advice: string): Check {
  return { name, result: 'failed', detail, advice }
}

export function skipped(name: string, detail: string): Check {
  return { name, result: 'skipped', detail }
}

/** Longer than the deadline of any request, and than a source is listened to. */
const longestMs = 20_000

/** Runs checks. Those that do not end in time have failed, under this name and with this advice. */
export async function inTime<T>(
  name: string,
  advice: string,
  run: () => Promise<T>,
  clock: Clock = systemClock,
): Promise<T | Check> {
  const ended = new AbortController()
  const late = clock
    .sleep(longestMs, ended.signal)
    .then(() => failed(name, `it did not end within ${longestMs / 1_000} s`, advice))
  return Promise.race([run(), late]).finally(() => ended.abort())
}
