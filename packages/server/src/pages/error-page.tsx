/**
 * Error pages: what happened, why, and what to do; and which errors have one.
 * In: texts, or a thrown error. Out: a page.
 */
import { ApiError } from '../errors.ts'
import { htmlAnswer, type PageAnswer } from './answer.ts'
import { Layout, toHtml } from './layout.tsx'

export interface ErrorWords {
  title: string
  what: string
  next: string
  /** The page to continue at. */
  link?: { path: string; label: string }
}

export function errorPage(status: PageAnswer['status'], { title, what, next, link }: ErrorWords): PageAnswer {
  return htmlAnswer(
    toHtml(
      <Layout title={title}>
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
    { status },
  )
}

export interface ExpectedErrors {
  /** The page for an ApiError. Undefined: the page that says to try again in a few seconds. */
  toPage(error: ApiError): PageAnswer | undefined
  /** The rest of the page for a form that the parser refused. */
  unreadableForm: Pick<ErrorWords, 'next' | 'link'> & { status: PageAnswer['status'] }
}

/** Returns a function that returns the page for an expected error and throws any other error, for the log. */
export function createToErrorPage({ toPage, unreadableForm }: ExpectedErrors): (thrown: unknown) => PageAnswer {
  return (thrown) => {
    if (thrown instanceof ApiError) {
      const page = toPage(thrown) ?? tryAgainPage()
      return { ...page, headers: { ...page.headers, ...thrown.headers } }
    }
    // Errors of the form parser have a status.
    if (thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500) {
      const { status, ...words } = unreadableForm
      const title = 'This form could not be read'
      return errorPage(status, { title, what: 'It is too large or incomplete. Nothing was changed.', ...words })
    }
    throw thrown
  }
}

function tryAgainPage(): PageAnswer {
  const page = errorPage(503, {
    title: 'Try again',
    what: 'The request could not be processed just now. Nothing was changed.',
    next: 'Wait a few seconds, then reload this page.',
  })
  return { ...page, headers: { ...page.headers, 'Retry-After': '5' } }
}
