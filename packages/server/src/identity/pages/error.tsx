/** The identity provider's error pages: what happened, why, and what to do. They never repeat text from the request. */
import { ApiError } from '../../errors.ts'
import type { PageAnswer } from '../../pages/answer.ts'
import { type ErrorWords, errorPage } from '../../pages/error-page.tsx'
import type { TargetRefusal } from '../authorize/authorization-request.ts'
import { accountPath } from './paths.ts'

const toAccount = { path: accountPath, label: 'Your account' }

const contactTheApplication = 'Go back to the application and contact the people who run it.'

const targetRefusals: Record<TargetRefusal, ErrorWords> = {
  'unknown-client': {
    title: 'Unknown application',
    what: 'The application that sent you here is not registered, is disabled, or sent a missing or wrong "client_id".',
    next: contactTheApplication,
  },
  'unknown-redirect-uri': {
    title: 'Unknown return address',
    what: 'The application did not send the address to return to ("redirect_uri"), or sent one that is not registered for it.',
    next: contactTheApplication,
  },
  'repeated-parameter': {
    title: 'Ambiguous request',
    what: 'The application sent "client_id" or "redirect_uri" more than once.',
    next: contactTheApplication,
  },
}

const ended: ErrorWords = {
  title: 'This request has expired',
  what: 'It was already answered, took longer than 30 minutes, or was started in another browser.',
  next: 'Go back to the application and sign in again from there.',
}

const forgedForm: ErrorWords = {
  title: 'This form is out of date',
  what: 'It was not submitted from our page, or you have signed in or out since. Nothing was changed.',
  next: 'Go back to the application and sign in again from there.',
}

const tamperedForm: ErrorWords = {
  title: 'This form was altered',
  what: 'It contains an answer that the page did not offer. Nothing was changed.',
  next: 'Go back to the application and sign in again from there.',
}

const endedVisit: ErrorWords = {
  title: 'This sign-in has expired',
  what: 'It took longer than 30 minutes, or was started in another browser.',
  next: 'Open your account to sign in again.',
  link: toAccount,
}

const outdatedAccountForm: ErrorWords = {
  title: 'This form is out of date',
  what: 'It was not submitted from our page, or you have signed in or out since. Nothing was changed.',
  next: 'Open your account and try again from there.',
  link: toAccount,
}

const nothingHere: ErrorWords = {
  title: 'Page not found',
  what: 'There is no page at this address, or it belongs to another account.',
  next: 'Check the address, or open your account.',
  link: toAccount,
}

const unavailable: ErrorWords = {
  title: 'Try again',
  what: 'The request could not be processed just now. Nothing was changed.',
  next: 'Wait a few seconds, then reload this page.',
}

const unreadableForm: ErrorWords = {
  ...tamperedForm,
  title: 'This form could not be read',
  what: 'It is too large or incomplete. Nothing was changed.',
}

export function targetRefusedPage(refusal: TargetRefusal): PageAnswer {
  return errorPage(400, targetRefusals[refusal])
}

export function endedPage(): PageAnswer {
  return errorPage(400, ended)
}

export function forgedFormPage(): PageAnswer {
  return errorPage(403, forgedForm)
}

export function tamperedFormPage(): PageAnswer {
  return errorPage(400, tamperedForm)
}

export function endedVisitPage(): PageAnswer {
  return errorPage(400, endedVisit)
}

export function outdatedAccountFormPage(): PageAnswer {
  return errorPage(403, outdatedAccountForm)
}

export function nothingHerePage(): PageAnswer {
  return errorPage(404, nothingHere)
}

/** The page for an expected error. @throws any other error, for the log. */
export function toErrorPage(thrown: unknown): PageAnswer {
  if (thrown instanceof ApiError) {
    const headers = { 'Retry-After': '5', ...thrown.headers }
    const page =
      thrown.code === 'too_many_requests'
        ? errorPage(429, tooManyAttempts(Number(headers['Retry-After'])))
        : errorPage(503, unavailable)
    return { ...page, headers: { ...page.headers, ...headers } }
  }
  // Errors of the body parser have a status.
  if (thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500) {
    return errorPage(400, unreadableForm)
  }
  throw thrown
}

function tooManyAttempts(seconds: number): ErrorWords {
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return {
    title: 'Too many attempts',
    what: 'Your network has sent too many sign-ins or new accounts. This attempt was not checked, and nothing was changed.',
    next: `Wait ${wait}, then go back and try again.`,
  }
}
