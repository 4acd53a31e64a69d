/** Pages that say what went wrong, why, and what to do. They repeat nothing that was sent. */
import { ApiError } from '../../errors.ts'
import type { PageAnswer } from '../../pages/answer.ts'
import { type ErrorWords, errorPage } from '../../pages/error-page.tsx'
import type { TargetRefusal } from '../authorization-request.ts'
import { accountPath } from './paths.ts'

const toAccount = { path: accountPath, label: 'Your account' }

const ofTheApplication = 'Go back to the application, and tell the people who run it.'

const targetRefusals: Record<TargetRefusal, ErrorWords> = {
  'unknown-client': {
    title: 'Unknown application',
    what: 'The application that sent you here is not registered or is switched off, or it gave no name or a wrong one ("client_id").',
    next: ofTheApplication,
  },
  'unknown-redirect-uri': {
    title: 'Unknown return address',
    what: 'The address to which the application wants you to return ("redirect_uri") is missing, or is not exactly one of those that are registered for it.',
    next: ofTheApplication,
  },
  'repeated-parameter': {
    title: 'Ambiguous request',
    what: 'The application named itself ("client_id") or the address to return to ("redirect_uri") more than once.',
    next: ofTheApplication,
  },
}

const ended: ErrorWords = {
  title: 'This request is over',
  what: 'It was answered already, took longer than 30 minutes, or was started in another browser.',
  next: 'Go back to the application and sign in from there again.',
}

const forgedForm: ErrorWords = {
  title: 'This form is out of date',
  what: 'It was not sent from the page that we showed to you, or you have signed in or out since. Nothing was changed.',
  next: 'Go back to the application and sign in from there again.',
}

const tamperedForm: ErrorWords = {
  title: 'This form was altered',
  what: 'It held something other than the answer to the question that we asked. Nothing was changed.',
  next: 'Go back to the application and sign in from there again.',
}

const endedVisit: ErrorWords = {
  title: 'This sign-in is over',
  what: 'It took longer than 30 minutes, or was started in another browser.',
  next: 'Open your account to sign in again.',
  link: toAccount,
}

const outdatedAccountForm: ErrorWords = {
  title: 'This form is out of date',
  what: 'It was not sent from the page that we showed to you, or you have signed in or out since. Nothing was changed.',
  next: 'Open your account and try again from there.',
  link: toAccount,
}

const nothingHere: ErrorWords = {
  title: 'There is nothing here',
  what: 'The address is not one of your account.',
  next: 'Check it, or open your account.',
  link: toAccount,
}

const unavailable: ErrorWords = {
  title: 'Try again',
  what: 'The request could not be processed just now. Nothing was changed.',
  next: 'Wait a few seconds, then reload this page.',
}

const tooLarge: ErrorWords = { ...tamperedForm, title: 'This form could not be read' }

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

/** The page for an error that was planned for. @throws any other one, which is for the log. */
export function toErrorPage(thrown: unknown): PageAnswer {
  if (thrown instanceof ApiError) {
    const headers = { 'Retry-After': '5', ...thrown.headers }
    const page =
      thrown.code === 'too_many_requests'
        ? errorPage(429, tooManyAttempts(Number(headers['Retry-After'])))
        : errorPage(503, unavailable)
    return { ...page, headers: { ...page.headers, ...headers } }
  }
  // What the body parser throws carries a status.
  const isRefusedBody = thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500
  if (isRefusedBody) return errorPage(400, tooLarge)
  throw thrown
}

function tooManyAttempts(seconds: number): ErrorWords {
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return {
    title: 'Too many attempts',
    what: 'More sign-ins or new accounts came from your network than we allow at a time. This one was not looked at, and nothing was changed.',
    next: `Wait ${wait}, then go back and try again.`,
  }
}
