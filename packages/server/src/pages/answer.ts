/** The answer to a browser's request: a page or a redirect, as status, headers and body; and how Express sends it. */
import type { ErrorRequestHandler, Response } from 'express'
import { type PageHeaderOptions, pageHeaders } from './page-headers.ts'

export interface PageAnswer {
  status: 200 | 302 | 303 | 400 | 403 | 404 | 409 | 413 | 429 | 503
  /** HTML. A redirect has no body. */
  body?: string
  headers: Record<string, string | string[]>
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

export function sendAnswer(response: Response, { status, headers, body }: PageAnswer): void {
  response.status(status).set(headers)
  response.end(body)
}

/** @param toErrorPage Throws the errors that have no page. */
export function answerErrors(toErrorPage: (error: unknown) => PageAnswer): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) next(error)
    else sendAnswer(response, toErrorPage(error))
  }
}

/** @param cookie One or several. */
export function redirectAnswer(status: 302 | 303, location: string, cookie?: string | string[]): PageAnswer {
  return {
    status,
    headers: { Location: location, ...pageHeaders(), ...(cookie !== undefined && { 'Set-Cookie': cookie }) },
  }
}
