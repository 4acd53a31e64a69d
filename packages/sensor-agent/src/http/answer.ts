/** Reads response bodies: those that the document describes, and any other. */
import type { Problem } from '@posrep/spec'
import { vProblem } from '@posrep/spec/validators'
import { type GenericSchema, type InferOutput, safeParse } from 'valibot'

export interface Answer {
  status: number
  headers: Headers
  body: unknown
  isEmpty: boolean
}

/** The body is JSON, or `undefined` if it is not. It is read to its end, so that the connection can be reused. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: toJson(text), isEmpty: text === '' }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy may answer with a body that is not JSON; the status is still useful.
    return undefined
  }
}

/** The body's members that the schema names, or `undefined` if the body does not match the schema. */
export function findValid<S extends GenericSchema>(schema: S, body: unknown): InferOutput<S> | undefined {
  const { success, output } = safeParse(schema, body)
  return success ? output : undefined
}

function findProblem(body: unknown): Problem | undefined {
  return findValid(vProblem, body)
}

/**
 * The problem of an answer, if the service itself gave it. A proxy, a captive portal or a load balancer answers with a
 * page, with nothing or with a format of its own, and says nothing about the request's content.
 */
export function findProblemOfService({
  status,
  headers,
  body,
}: Pick<Answer, 'status' | 'headers' | 'body'>): Problem | undefined {
  if (!headers.get('content-type')?.toLowerCase().startsWith('application/problem+json')) return undefined
  const problem = findProblem(body)
  return problem?.status === status ? problem : undefined
}

/** The problem's `detail`, or else its `title`. */
export function findDetail(body: unknown): string | undefined {
  const problem = findProblem(body)
  return problem && (problem.detail ?? problem.title)
}
