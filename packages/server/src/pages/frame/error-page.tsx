/**
 * Error pages: what happened, why, and what to do; and which errors have one.
 * In: texts, or a thrown error. Out: a page.
 */
import type { ComponentChildren } from 'preact'
import { ApiError, type ApiErrorCode } from '../../errors.ts'
import { htmlAnswer, type PageAnswer } from '../answer.ts'
import { Layout, toHtml } from './layout.tsx'

export interface ErrorWords {
  title: string
  what: string
  next: string
  /** The page to continue at. */
  link?: { path: string; label: string }
}

/** As in `Layout`. Every error page has the navigation. */
export interface Frame {
  bar: ComponentChildren
  uiOrigin?: string
  /** Where the form of the bar continues, if it has one. */
  formAction?: string
}

export function errorPage(
  status: PageAnswer['status'],
  { title, what, next, link, formAction, ...layout }: ErrorWords & Frame,
): PageAnswer {
  return htmlAnswer(
    toHtml(
      <Layout title={title} {...layout}>
        <h1>{title}</h1>
        <p>{what}</p>
        <p class="quiet">{next}</p>
        {link && (
          <a class="button" href={link.path}>
            {link.label}
          </a>
        )}
      </Layout>,
    ),
    { status, ...(formAction !== undefined && { formAction }) },
  )
}

export interface ExpectedErrors {
  /** The page for an ApiError. Undefined: the page for unreadable requests, or the one that says to try again soon. */
  toPage(error: ApiError): PageAnswer | undefined
  /** The rest of the page for a request that could not be read. */
  unreadable: Pick<ErrorWords, 'next' | 'link'>
  /** The top bar of these pages. */
  frame: Frame
}

/** Errors of reading a form. */
const unreadableStatuses: Partial<Record<ApiErrorCode, 400 | 413>> = {
  body_too_large: 413,
  invalid_body: 400,
  unsupported_media_type: 400,
}

/** Returns a function that returns the page for an expected error and throws any other error, for the log. */
export function createToErrorPage({ toPage, unreadable, frame }: ExpectedErrors): (thrown: unknown) => PageAnswer {
  return (thrown) => {
    if (thrown instanceof ApiError) {
      const status = unreadableStatuses[thrown.code]
      const page =
        toPage(thrown) ?? (status ? unreadablePage(status, { ...unreadable, ...frame }) : tryAgainPage(frame))
      return { ...page, headers: { ...page.headers, ...thrown.headers } }
    }
    // Express could not decode the path. Its errors have a status.
    if (thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500) {
      return unreadablePage(400, { ...unreadable, ...frame })
    }
    throw thrown
  }
}

function unreadablePage(status: 400 | 413, rest: ExpectedErrors['unreadable'] & Frame): PageAnswer {
  if (status === 413) {
    return errorPage(413, { title: 'This form is too large', what: 'Nothing was changed.', ...rest })
  }
  const what = 'Its address or its form is incomplete or damaged. Nothing was changed.'
  return errorPage(400, { title: 'This request could not be read', what, ...rest })
}

function tryAgainPage(frame: Frame): PageAnswer {
  const page = errorPage(503, {
    ...frame,
    title: 'Try again',
    what: 'The request could not be processed just now. Nothing was changed.',
    next: 'Wait a few seconds, then reload this page.',
  })
  return { ...page, headers: { ...page.headers, 'Retry-After': '5' } }
}
