/**
 * Routes of pages and forms on an Express router.
 * In: for each path, a function of the visitor, the path's `:id`, and the query or the form. Out: a router that sends
 * the answers.
 */
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { readForm } from '../http/body/request-body.ts'
import { writeAnswer } from '../http/operation/answer.ts'
import { toAccountKey } from '../http/shares.ts'
import type { PageAnswer } from '../pages/answer.ts'
import type { FormFields } from '../pages/forms/form-fields.ts'
import { toVisitor, type Visitor } from './cookies.ts'

export type ShowPage = (visitor: Visitor, id: string, query: URLSearchParams) => Promise<PageAnswer>
/** @param part The path's `:part`; empty if it has none. */
export type SubmitForm = (visitor: Visitor, id: string, fields: FormFields, part: string) => Promise<PageAnswer>

export interface PageRouter {
  router: Router
  page(path: string, show: ShowPage): void
  /** @param maxBytes Default: `maxFormBytes` of the router. */
  form(path: string, submit: SubmitForm, maxBytes?: number): void
}

export function createPageRouter({ maxFormBytes }: { maxFormBytes: number }): PageRouter {
  const router = Router({ caseSensitive: true, strict: true })

  return {
    router,
    page(path, show) {
      router.get(
        path,
        async (request, response) =>
          await sendAnswer(response, await show(visitorOf(request), parameterOf(request, 'id'), queryOf(request))),
      )
    },
    form(path, submit, maxBytes = maxFormBytes) {
      router.post(path, async (request, response) => {
        const [id, part] = [parameterOf(request, 'id'), parameterOf(request, 'part')]
        const visitor = visitorOf(request)
        const fields = await readForm(request, maxBytes, visitor)
        await sendAnswer(response, await submit(visitor, id, fields, part))
      })
    },
  }
}

/** @param toErrorPage Throws the errors that have no page. */
export function answerErrors(toErrorPage: (error: unknown) => PageAnswer): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) next(error)
    else sendAnswer(response, toErrorPage(error))
  }
}

export function sendAnswer(response: Response, answer: PageAnswer): Promise<void> | undefined {
  const { status, headers, body = '', file, accountId } = answer
  const account = accountId === undefined ? undefined : toAccountKey(accountId)
  const taker = { address: response.req.ip ?? '', account }
  return writeAnswer(response, { status, headers, text: body, ...(file && { file }), taker })
}

export function visitorOf({ headers, ip = '' }: Request): Visitor {
  return toVisitor({ headers, address: ip })
}

/** A parameter of the path; empty if the path does not have it. */
export function parameterOf({ params }: Request, name: string): string {
  return String(params[name] ?? '')
}

/** The query of the address. */
export function queryOf({ originalUrl }: Request): URLSearchParams {
  const at = originalUrl.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : originalUrl.slice(at))
}
