/** Pages that say what went wrong, why, and what to do. They repeat nothing that was sent. */
import { ApiError } from '../../errors.ts'
import type { TargetRefusal } from '../authorization-request.ts'
import { htmlAnswer, type PageAnswer } from './answer.ts'
import { Layout, toHtml } from './layout.tsx'

interface Words {
  title: string
  what: string
  next: string
}

const ofTheApplication = 'Go back to the application, and tell the people who run it.'

const targetRefusals: Record<TargetRefusal, Words> = {
  'unknown-client': {
    title: 'Unknown application',
    what: 'The application that sent you here is not registered, or it gave no name or a wrong one ("client_id").',
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

const ended: Words = {
  title: 'This request is over',
  what: 'It was answered already, took longer than 30 minutes, or was started in another browser.',
  next: 'Go back to the application and sign in from there again.',
}

const forgedForm: Words = {
  title: 'This form is out of date',
  what: 'It was not sent from the page that we showed to you, or you have signed in or out since. Nothing was changed.',
  next: 'Go back to the application and sign in from there again.',
}

const tamperedForm: Words = {
  title: 'This form was altered',
  what: 'It held something other than the answer to the question that we asked. Nothing was changed.',
  next: 'Go back to the application and sign in from there again.',
}

const busy: Words = {
  title: 'Too many attempts',
  what: 'More sign-ins arrived than we can check. Nothing was changed.',
  next: 'Wait a few seconds, then go back and try again.',
}

const unavailable: Words = {
  title: 'Try again',
  what: 'The request could not be processed just now. Nothing was changed.',
  next: 'Wait a few seconds, then reload this page.',
}

const tooLarge: Words = { ...tamperedForm, title: 'This form could not be read' }

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

/** The page for an error that was planned for. @throws any other one, which is for the log. */
export function toErrorPage(thrown: unknown): PageAnswer {
  if (thrown instanceof ApiError) {
    const page = thrown.code === 'too_many_requests' ? errorPage(429, busy) : errorPage(503, unavailable)
    return { ...page, headers: { ...page.headers, 'Retry-After': '5', ...thrown.headers } }
  }
  // What the body parser throws carries a status.
  const isRefusedBody = thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500
  if (isRefusedBody) return errorPage(400, tooLarge)
  throw thrown
}

function errorPage(status: PageAnswer['status'], { title, what, next }: Words): PageAnswer {
  return htmlAnswer(
    toHtml(
      <Layout title={title}>
        <h1>{title}</h1>
        <p>{what}</p>
        <p class="quiet">{next}</p>
      </Layout>,
    ),
    { status },
  )
}
