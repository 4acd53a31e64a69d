/**
 * The request of a code sample, from the examples of the document.
 * In: an operation. Out: what is sent.
 */
import { findExample, type Operation } from '../reference.ts'

export interface SampleRequest {
  method: string
  url: string
  /** Without the token. */
  headers: Record<string, string>
  token: boolean
  /** JSON. */
  json?: unknown
  form?: Record<string, string>
}

const formMedia = 'application/x-www-form-urlencoded'

/** Only what is required. */
export function toSampleRequest({ method, server, path, parameters, body, token }: Operation): SampleRequest {
  const exampleOf = (name: string) => String(parameters.find((parameter) => parameter.name === name)?.example)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(exampleOf(name)))
  const required = parameters.filter(({ required }) => required)
  const query = required.filter(({ in: place }) => place === 'query').map(({ name }) => [name, exampleOf(name)])
  const [media, type] = Object.entries(body)[0] ?? []
  const example = type && findExample(type)
  return {
    method,
    url: `${server}${filled}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: media === undefined ? {} : { 'Content-Type': media },
    token: token !== undefined,
    ...(media !== undefined && media !== formMedia && { json: example }),
    // Every field of a form is a text.
    ...(media === formMedia && { form: example as Record<string, string> }),
  }
}
