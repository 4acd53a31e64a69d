/**
 * Answers a browser that requests a wrong path with a page; programs get a problem (`http/errors/error-handler.ts`).
 * In: the error of a request that no page and no operation has answered. Out: a page, if the request asks for HTML.
 */
import type { ErrorRequestHandler } from 'express'
import { ApiError, type ApiErrorCode } from '../errors.ts'
import { errorPage } from '../pages/frame/error-page.tsx'
import { SiteNav } from '../pages/frame/site-nav.tsx'
import { sendAnswer } from './page-router.ts'

const statuses: Partial<Record<ApiErrorCode, 404 | 405>> = { not_found: 404, method_not_allowed: 405 }

export function answerBrowsers(uiOrigin: string): ErrorRequestHandler {
  return (error, request, response, next) => {
    const status = error instanceof ApiError ? statuses[error.code] : undefined
    const wantsPage = request.accepts(['json', 'html']) === 'html'
    if (status === undefined || !wantsPage || response.headersSent) return next(error)
    const page = errorPage(status, {
      bar: <SiteNav uiOrigin={uiOrigin} />,
      uiOrigin,
      title: 'Page not found',
      what: 'This server has no page at this address.',
      next: 'Check the address, or start at the overview.',
      link: { path: `${uiOrigin}/`, label: 'Overview' },
    })
    sendAnswer(response, { ...page, headers: { ...page.headers, ...(error as ApiError).headers } })
  }
}
