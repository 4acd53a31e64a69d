/**
 * A button that was pressed twice has done its work once: both get the one answer.
 * In: what was sent, from which session. Out: the answer; that of the first press for what is the same within half a
 * second, or while the first is under way.
 */
import { createHash } from 'node:crypto'
import type { PageAnswer } from '../pages/answer.ts'
import type { FormFields } from '../pages/form-fields.ts'
import type { Clock } from '../ports/clock.ts'

export type OncePerClick = (
  session: string,
  purpose: string,
  fields: FormFields,
  action: () => Promise<PageAnswer>,
) => Promise<PageAnswer>

/** As long as a double click takes at most. */
const clickMs = 500

export function createOncePerClick({ clock }: { clock: Clock }): OncePerClick {
  const presses = new Map<string, { answer: Promise<PageAnswer>; atMs: number; isUnderWay: boolean }>()

  return (session, purpose, fields, action) => {
    for (const [key, { atMs, isUnderWay }] of presses)
      if (!isUnderWay && atMs + clickMs <= clock.now()) presses.delete(key)
    const key = createHash('sha256')
      .update(JSON.stringify([session, purpose, fields]))
      .digest('base64url')
    const earlier = presses.get(key)
    if (earlier) return earlier.answer
    const press = { answer: action(), atMs: clock.now(), isUnderWay: true }
    const end = () => void (press.isUnderWay = false)
    press.answer.then(end, end)
    presses.set(key, press)
    return press.answer
  }
}
