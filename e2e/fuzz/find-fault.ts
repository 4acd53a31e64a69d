/**
 * Checks an answer against the document's generated validators and the rules that a schema cannot express.
 * In: a request and its answer. Out: what is wrong with the answer, if anything.
 */
import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { vPositionReport } from '@posrep/spec/validators'
import type { Answer } from '../parts/a-sensor.ts'
import type { Case } from './cases.ts'

const maxBodyBytes = 1024 ** 2
const maxDepth = 32

interface Judgement {
  statuses: number[]
  /** The parsed body, if it is JSON. */
  value?: unknown
}

/** @param own The ids of the sensor that sent the request. Returns `undefined` if the answer is correct. */
export function findFault(request: Case, answer: Answer, own: string[]): string | undefined {
  const { statuses, value } = judge(request, own)
  const seen = `answered ${answer.status} ${answer.body.slice(0, 500)}`
  if (!statuses.includes(answer.status)) return `expected ${statuses.join(' or ')}, ${seen}`
  if (answer.status === 202) return answer.body === '' ? undefined : `202 has a body: ${seen}`
  if (!/^application\/problem\+json/.test(answer.headers['content-type'] ?? ''))
    return `not application/problem+json: ${seen}`
  const problem: { status: number; code: string; errors?: { pointer: string }[] } = JSON.parse(answer.body)
  if (problem.status !== answer.status) return `the problem's status differs: ${seen}`
  if (answer.status === 400 && value !== undefined && !problem.errors?.length && !isTooDeep(value))
    return `has no pointer: ${seen}`
  const astray = problem.errors?.find(({ pointer }) => !leadsSomewhere(value, pointer))
  return astray && `the pointer "${astray.pointer}" does not exist in the body: ${seen}`
}

function judge({ body, headers }: Case, own: string[]): Judgement {
  if (headers.authorization !== undefined) return { statuses: [401] }
  if (!isOwnMediaType(headers['content-type'] ?? 'application/json')) return { statuses: [415] }
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase()
  const inflate = inflaters[encoding]
  if (!inflate) return { statuses: [415] }
  let bytes: Buffer
  try {
    bytes = inflate(body)
  } catch (error) {
    return { statuses: isTooLong(error) ? [413] : [400, 413] }
  }
  if (bytes.length > maxBodyBytes) return { statuses: [413] }
  return judgeBytes(bytes, own)
}

function judgeBytes(bytes: Buffer, own: string[]): Judgement {
  if (!isUtf8(bytes)) return { statuses: [400] }
  let value: unknown
  try {
    // The decoder removes a byte order mark. An empty body is treated as an empty report.
    value = bytes.length === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return { statuses: [400] }
  }
  // Every number in the body must be finite.
  if (isTooDeep(value) || hasInfinity(value)) return { statuses: [400], value }
  const result = vPositionReport['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('The validator is synchronous')
  if (result.issues) return { statuses: [400], value }
  const sensorId = result.value.sensor?.id
  const isOwn = sensorId === undefined || own.includes(sensorId)
  return { statuses: [isOwn ? 202 : 403], value }
}

const atMost = { maxOutputLength: maxBodyBytes }
const inflaters: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => gunzipSync(body, atMost),
  deflate: (body) => inflateSync(body, atMost),
  br: (body) => brotliDecompressSync(body, atMost),
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

function isOwnMediaType(type: string): boolean {
  return type.length <= 100 && /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?$/i.test(type.trim())
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === maxDepth || Object.values(value).some((member) => isTooDeep(member, depth + 1))
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
}

/** RFC 6901. The pointer of a missing member is valid if its parent exists. */
function leadsSomewhere(value: unknown, pointer: string): boolean {
  if (pointer === '') return true
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  let at = value
  for (const key of keys.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    // The key is a name in an object and an index in a list.
    at = (at as Record<string, unknown>)[key]
  }
  return typeof at === 'object' && at !== null
}
