/**
 * What a check of requests against the document takes, returns and throws. Two modules make such checks:
 * `openapi-validator.ts` for Express and `request-validator.ts` for the fast path and the threads that read reports.
 */
import type { DocumentedOperation } from '../operation/openapi-document.ts'

/** The parts of a request that the document describes. */
export interface RequestParts {
  /** As it was sent, without the query. */
  path: string
  query: Record<string, unknown>
  headers: Record<string, unknown>
  /** Undefined where there is no body. */
  body: unknown
}

/** With the documented types, and with the defaults of missing ones. */
export interface RequestParameters {
  path: Record<string, unknown>
  query: Record<string, unknown>
}

/** Adds documented defaults to the body. @throws RefusedRequest */
export type CheckRequest = (parts: RequestParts) => RequestParameters | Promise<RequestParameters>

/** Returns the check of an operation. */
export type RequestValidator = (operation: DocumentedOperation) => CheckRequest

/** A part of the request that the document does not allow. */
export interface Finding {
  part: 'path' | 'query' | 'headers' | 'body'
  /** JSON Pointer into the part, also for a missing member. */
  pointer: string
  /** The keyword of JSON Schema that is violated; `discriminator` and `encoding` are the only others. */
  keyword: string
  /** The limit, the type or the values that the keyword asks for; empty for other keywords. */
  expected: string
  /** The validator's own sentence. */
  message: string
}

/** `http/errors/problem.ts` and `identity/oauth-error.ts` answer it. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly findings: Finding[]

  constructor(findings: Finding[], options?: ErrorOptions) {
    super(findings[0]?.message ?? 'The request is not valid', options)
    this.findings = findings
  }
}
