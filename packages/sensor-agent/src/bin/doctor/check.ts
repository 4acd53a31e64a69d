/** One check of `posrep-agent doctor`: what was looked at, how it is, and what to do. */

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
