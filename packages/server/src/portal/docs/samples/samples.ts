/** The code samples of an operation. */
import type { Origins } from '../../../http/operation/openapi-document.ts'
import type { Operation } from '../reference.ts'
import { toCurl } from './curl.ts'
import { toPython } from './python.ts'
import { toSampleRequest } from './sample-request.ts'
import { toTypeScript } from './typescript.ts'

export interface Sample {
  language: 'curl' | 'typescript' | 'python'
  name: string
  text: string
}

export function toSamples(operation: Operation, origins: Origins): Sample[] {
  const request = toSampleRequest(operation)
  return [
    { language: 'curl', name: 'curl', text: toCurl(request) },
    { language: 'typescript', name: 'TypeScript', text: toTypeScript(operation, request, origins) },
    { language: 'python', name: 'Python', text: toPython(request) },
  ]
}
