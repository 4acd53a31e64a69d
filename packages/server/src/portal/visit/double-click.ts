/**
 * Runs a form's action once when the user double-clicks its button.
 * In: the session and the submitted form. Out: the answer. An equal form that arrives while the action of the first
 * runs, or within half a second of the first, gets the answer of the first.
 */
import type { PageAnswer } from '../../pages/answer.ts'
import type { FormFields } from '../../pages/forms/form-fields.ts'
import type { Clock } from '../../ports/clock.ts'
import { hashSecret } from '../../secrets.ts'

export type OncePerClick = (
  session: string,
  purpose: string,
  fields: FormFields,
  action: () => Promise<PageAnswer>,
) => Promise<PageAnswer>

/** The longest time between the two clicks of a double click. */
const clickMs = 500

export function createOncePerClick({ clock }: { clock: Clock }): OncePerClick {
  const submissions = new Map<string, { answer: Promise<PageAnswer>; atMs: number; inFlight: boolean }>()

  return (session, purpose, fields, action) => {
    for (const [key, { atMs, inFlight }] of submissions)
      if (!inFlight && atMs + clickMs <= clock.now()) submissions.delete(key)
    const key = hashSecret(JSON.stringify([session, purpose, fields]))
    const earlier = submissions.get(key)
    if (earlier) return earlier.answer
    const submission = { answer: action(), atMs: clock.now(), inFlight: true }
    const end = () => void (submission.inFlight = false)
    submission.answer.then(end, end)
    submissions.set(key, submission)
    return submission.answer
  }
}
