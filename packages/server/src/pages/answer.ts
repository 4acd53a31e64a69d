/** How a page or a redirect is answered: status, body, headers. */
import { pageHeaders } from './page-headers.ts'

export interface PageAnswer {
  status: 200 | 302 | 303 | 400 | 403 | 404 | 429 | 503
  /** HTML; none with a redirect. */
  body?: string
  headers: Record<string, string>
}

export interface HtmlOptions {
  status?: PageAnswer['status']
  /** Where the redirect after a form's POST may lead, beside this origin. */
  formAction?: string
  cookie?: string | undefined
}

export function htmlAnswer(body: string, { status = 200, formAction, cookie }: HtmlOptions = {}): PageAnswer {
  return {
    status,
    body,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...pageHeaders({ ...(formAction !== undefined && { formAction }) }),
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
    },
  }
}

export function redirectAnswer(status: 302 | 303, location: string, cookie?: string): PageAnswer {
  return {
    status,
    headers: { Location: location, ...pageHeaders(), ...(cookie !== undefined && { 'Set-Cookie': cookie }) },
  }
}
