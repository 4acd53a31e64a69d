/**
 * Answers a browser whose request failed with a page; programs get a problem (`http/errors/error-handler.ts`).
 * In: the error of a request for which no page and no operation has an answer. Out: a page, if the request asks for
 * HTML.
 */
import type { ErrorRequestHandler } from 'express'
import { ApiError, type ApiErrorCode } from '../errors.ts'
import { requestIdOf } from '../http/errors/error-handler.ts'
import type { AnswerError } from '../http/operation/answer.ts'
import { type ErrorWords, errorPage } from '../pages/frame/error-page.tsx'
import { SiteNav } from '../pages/frame/site-nav.tsx'
import { sendAnswer } from './page-router.ts'

const statuses: Partial<Record<ApiErrorCode, 404 | 405>> = { not_found: 404, method_not_allowed: 405 }

const notFound: ErrorWords = {
  title: 'Page not found',
  what: 'This server has no page at this address.',
  next: 'Check the address, or start at the overview.',
}

const toFailed = (requestId: string): ErrorWords => ({
  title: 'The server failed',
  what: 'An unexpected error ended this request. The reason is in the log of the server.',
  next: `Try again. If it fails again, send the operator this ID of the request: ${requestId}.`,
})

/** @param answerError Logs an unexpected error. */
export function answerBrowsers(uiOrigin: string, answerError: AnswerError): ErrorRequestHandler {
  const frame = { bar: <SiteNav uiOrigin={uiOrigin} />, uiOrigin }
  const link = { path: `${uiOrigin}/`, label: 'Overview' }
  return (error, request, response, next) => {
    const status = error instanceof ApiError ? statuses[error.code] : 500
    // A request that was refused for a long Accept header must not have it parsed.
    if (status === undefined || response.headersSent) return next(error)
    if (request.accepts(['json', 'html']) !== 'html') return next(error)
    if (error instanceof ApiError && status !== 500) {
      const page = errorPage(status, { ...notFound, link, ...frame })
      return sendAnswer(response, { ...page, headers: { ...page.headers, ...error.headers } })
    }
    const { operation } = response.locals
    const requestId = requestIdOf(response)
    const answer = answerError(error, { operationId: operation?.operationId, body: undefined, requestId })
    if (answer.status !== 500) return next(error)
    sendAnswer(response, errorPage(500, { ...toFailed(requestId), link, ...frame }))
  }
}
