/** The answer to a browser's request: a page or a redirect, as status, headers and body. */
import { type PageHeaderOptions, pageHeaders } from './page-headers.ts'

export interface PageAnswer {
  status: 200 | 302 | 303 | 400 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503
  /** HTML. A redirect has no body. */
  body?: string
  /** The body, if all answers share its bytes. */
  file?: Buffer
  headers: Record<string, string | string[]>
  /** Whose page it is. */
  accountId?: string
}

export interface HtmlOptions extends PageHeaderOptions {
  status?: PageAnswer['status']
  cookie?: string | undefined
}

export function htmlAnswer(body: string, { status = 200, cookie, ...options }: HtmlOptions = {}): PageAnswer {
  return {
    status,
    body,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...pageHeaders(options),
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
    },
  }
}

export const jsonMedia = 'application/json; charset=utf-8'

/** For the scripts of a page. */
export function jsonAnswer(status: PageAnswer['status'], value: unknown): PageAnswer {
  const headers = { ...pageHeaders(), 'Content-Type': jsonMedia }
  return { status, body: JSON.stringify(value), headers }
}

/** @param cookie One or several. */
export function redirectAnswer(status: 302 | 303, location: string, cookie?: string | string[]): PageAnswer {
  return {
    status,
    headers: { Location: location, ...pageHeaders(), ...(cookie !== undefined && { 'Set-Cookie': cookie }) },
  }
}
