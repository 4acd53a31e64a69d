/**
 * Reads JSON from the server, and makes its texts visible: names are chosen by others, and look like another one or
 * turn around what follows with characters that nobody sees.
 */
import { hasInvisible, toVisible } from '@posrep/kernel/visible'

export function parseVisible<T>(json: string): T {
  // JSON writes some of these characters with an escape. Most frames have none, and are read as quickly as without
  // this.
  return JSON.parse(json, hasInvisible(json) || json.includes('\\u') ? visible : undefined)
}

/** Undefined if it cannot be read. */
export async function fetchVisible<T>(address: string): Promise<T | undefined> {
  try {
    const answer = await fetch(address)
    return answer.ok ? parseVisible(await answer.text()) : undefined
  } catch {
    return undefined
  }
}

function visible(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? toVisible(value) : value
}
