/**
 * Answers a validation message, by which the service checks that the address belongs to somebody who wants its
 * messages.
 * In: the validation code. Out: a response with only the code. See the document, webhook `validate`.
 */
import type { Attempt } from './delivery.ts'

export type ValidationAnswer =
  | 'text'
  | 'json'
  | ((validationCode: string, attempt: Attempt) => Response | Promise<Response>)

export async function answerValidation(
  answer: ValidationAnswer,
  validationCode: string,
  attempt: Attempt,
): Promise<Response> {
  switch (answer) {
    case 'text':
      return new Response(validationCode, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    case 'json':
      return Response.json({ validationCode })
    default: {
      const response = await answer(validationCode, attempt)
      if (typeof response?.status === 'number') return response
      throw new TypeError(`"validationAnswer" must return a Response, got ${typeof response}`)
    }
  }
}
