/** What came back, read as far as it can be: what the document describes, or whatever came instead. */
import type { Problem } from '@posrep/spec'
import { vProblem } from '@posrep/spec/validators'
import { type GenericSchema, type InferOutput, safeParse } from 'valibot'

/** The body as JSON; `undefined` if it is not. The body is read to its end, so that the connection can be used again. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON is an answer, too: it is not the document's.
    return undefined
  }
}

/** The members that the document names, if it is what the schema says. */
export function findValid<S extends GenericSchema>(schema: S, body: unknown): InferOutput<S> | undefined {
  const { success, output } = safeParse(schema, body)
  return success ? output : undefined
}

export function findProblem(body: unknown): Problem | undefined {
  return findValid(vProblem, body)
}

/** What the service says about it, in a sentence. */
export function findDetail(body: unknown): string | undefined {
  const problem = findProblem(body)
  return problem && (problem.detail ?? problem.title)
}
