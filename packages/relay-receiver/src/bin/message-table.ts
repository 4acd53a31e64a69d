/**
 * The table of `posrep-relay listen`: one row for each message, as it comes.
 * In: a message and what became of it. Out: a line of text.
 */

import { toVisible } from '@posrep/kernel/visible'
import { readAttempt } from '../request/delivery.ts'
import { parseMessage } from '../request/parse-message.ts'
import type { CapturedMessage } from './captured-message.ts'

export interface RowParts {
  signature: string
  outcome: string
  startedAtMs: number
  tookMs: number
}

const widths = [12, 15, 36, 9, 9, 7]

export const header = toLine(['TIME', 'MESSAGE', 'DEVICE', 'POSITIONS', 'SIGNATURE', 'MS', 'ANSWER'])

export function toRow(message: CapturedMessage, { signature, outcome, startedAtMs, tookMs }: RowParts): string {
  const { name, positions } = describe(message)
  const device = readAttempt(message.headers).device ?? '-'
  const time = new Date(startedAtMs).toISOString().slice(11, 23)
  return toLine([time, name, device, positions, signature, String(tookMs), outcome])
}

function describe({ body }: CapturedMessage): { name: string; positions: string } {
  try {
    const message = parseMessage(body)
    if (message.name === 'validate') return { name: message.name, positions: '-' }
    return { name: message.name, positions: String(message.positionReport.positions.length) }
  } catch {
    // The receiver decides about it; its answer says what is wrong.
    return { name: 'not a message', positions: '-' }
  }
}

function toLine(cells: string[]): string {
  // A sender can write anything into a header.
  return cells
    .map((cell, column) => toVisible(cell).padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()
}
