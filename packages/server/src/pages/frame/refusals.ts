/** Why pages and forms are refused, in the words that visitors read: one sentence for each reason. */
import type { ErrorWords } from './error-page.tsx'

/** Why a page or a form of ours is refused. Nothing was changed. */
export const refusals = {
  'no-cookie': {
    title: 'The cookie of this page is missing',
    what: 'Your browser did not send the cookie that it got with this page: it blocks the cookies of this site or has deleted them, or another site sent this form. Nothing was changed.',
  },
  'other-browser': {
    title: 'This request belongs to another browser',
    what: 'It was started in another browser or a private window, or the cookies were deleted since. Nothing was changed.',
  },
  expired: { title: 'This request has expired', what: 'It took longer than 30 minutes. Nothing was changed.' },
  answered: {
    title: 'This request was already answered',
    what: 'It was approved or denied before, perhaps in another tab or by a second click.',
  },
  'signed-out': {
    title: 'You are signed out',
    what: 'You have signed out since this page was shown, perhaps in another tab, or your session has ended: it lasts 12 hours, and ends earlier when the password is changed or when it is ended on the account page. Nothing was changed.',
  },
  'other-user': {
    title: 'Another sign-in has replaced yours',
    what: 'Somebody has signed in in this browser since this page was shown: you again, or another user. Nothing was changed.',
  },
  altered: { title: 'This form was altered', what: 'It was not submitted as our page shows it. Nothing was changed.' },
  'unknown-answer': {
    title: 'This form was altered',
    what: 'It contains an answer that the page did not offer. Nothing was changed.',
  },
  'application-changed': {
    title: 'The application has changed',
    what: 'It was disabled, removed, or its return address is no longer registered. Nothing was changed.',
  },
} satisfies Record<string, Omit<ErrorWords, 'next'>>

export type Refusal = keyof typeof refusals

/** The user's own form, which can no longer be processed; every other one may be forged. */
const outOfTime = new Set<Refusal>(['expired', 'answered', 'unknown-answer', 'application-changed'])

/** The status of a refused form. */
export const toRefusalStatus = (refusal: Refusal) => (outOfTime.has(refusal) ? 400 : 403)
