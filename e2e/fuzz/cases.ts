/**
 * Requests to the ingest: valid ones generated from the schema, and broken ones of every kind.
 * In: the document. Out: an arbitrary of requests, each with the information needed to check the answer.
 */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import document from '@posrep/spec/openapi.json' with { type: 'json' }
import fc from 'fast-check'
import { arbitraryOf, type Schema } from './arbitrary-of.ts'
import { garbled, mutated } from './mutations.ts'

export interface Case {
  body: Buffer
  headers: Record<string, string>
}

// The imported type of the document is too specific.
const reports = arbitraryOf(document.components.schemas.PositionReport as unknown as Schema)

/** The sensor of a report must be the token's sensor, or be missing. */
export function cases(localId: string): fc.Arbitrary<Case> {
  const own = reports.map((report) => {
    // The schema generates reports and sensors as objects.
    const { sensor, ...rest } = report as { sensor?: object }
    return sensor ? { ...rest, sensor: { ...sensor, id: localId } } : rest
  })
  const toText = (value: unknown) => JSON.stringify(value) ?? ''
  const texts = fc.oneof(
    { weight: 3, arbitrary: own.map(toText) },
    { weight: 1, arbitrary: reports.map(toText) },
    { weight: 8, arbitrary: mutated(own).map(toText) },
  )
  const bodies = fc.oneof(
    { weight: 6, arbitrary: texts.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: garbled(texts) },
    { weight: 1, arbitrary: oddities },
  )
  return fc
    .tuple(bodies, fc.oneof({ weight: 4, arbitrary: fc.constant(plain) }, { weight: 1, arbitrary: transports }))
    .map(([body, transport]) => readable(transport(body)))
}

/** Cases that mutations do not find. */
const oddities: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom('', ' ', 'null', '0', '"x"', '[]', '{}', '{"positions":[]}', '{} {}', 'undefined', '\ufeff{}')
    .map((text) => Buffer.from(text)),
  fc.integer({ min: 30, max: 20_000 }).map((depth) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`)),
  fc
    .integer({ min: 1, max: 60 })
    .map((depth) =>
      Buffer.from(
        `{"positions":[{"id":"1","sourceTimeStamp":"2026-01-07T12:00:30Z","position":{"lat":1,"lon":2},"deep":${'['.repeat(depth)}${']'.repeat(depth)}}]}`,
      ),
    ),
  fc
    .constantFrom(999, 1_000, 1_001)
    .map((count) =>
      Buffer.from(
        `{"positions":[${Array(count).fill('{"id":"1","sourceTimeStamp":"2026-01-07T12:00:30Z","position":{"lat":1,"lon":2}}').join()}]}`,
      ),
    ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)

type Transport = (body: Buffer) => Case

const plain: Transport = (body) => ({ body, headers: {} })

function encoded(encoding: string, compress: (body: Buffer) => Buffer): Transport {
  return (body) => ({ body: compress(body), headers: { 'content-encoding': encoding } })
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const compressions: Transport[] = [
  encoded('gzip', gzipSync),
  encoded('deflate', deflateSync),
  encoded('br', (body) => brotliCompressSync(body, quick)),
]

const transports: fc.Arbitrary<Transport> = fc.oneof(
  fc.constantFrom(...compressions),
  // Truncated, or changed at one byte.
  fc
    .tuple(fc.constantFrom(...compressions), fc.nat(), fc.option(fc.integer({ min: 1, max: 255 }), { nil: undefined }))
    .map(
      ([compress, at, change]): Transport =>
        (body) => {
          const whole = compress(body)
          const offset = at % (whole.body.length + 1)
          if (change === undefined) return { ...whole, body: whole.body.subarray(0, offset) }
          return {
            ...whole,
            body: Buffer.from(whole.body.map((byte, index) => (index === offset ? byte ^ change : byte))),
          }
        },
    ),
  fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'compress', 'identity', 'gzip, gzip', '', 'GZIP').map(
    (encoding): Transport =>
      (body) => ({ body, headers: { 'content-encoding': encoding } }),
  ),
  fc.constantFrom(...mediaTypes()).map(
    (type): Transport =>
      (body) => ({ body, headers: { 'content-type': type } }),
  ),
  fc.constantFrom('', 'Bearer', 'Bearer x', 'Basic eDp4', 'Bearer a.b.c', 'bearer null').map(
    (authorization): Transport =>
      (body) => ({ body, headers: { authorization } }),
  ),
  // Decompression bombs, and a body that is too large without decompression.
  fc.constantFrom(...bombs()),
  fc.constant<Transport>(() => plain(Buffer.alloc(1024 ** 2 + 1, ' '))),
)

/** Created once, because they do not depend on the body. */
function bombs(): Transport[] {
  return [1, 20].flatMap((mebibytes) => {
    const whole = Buffer.alloc(mebibytes * 1024 ** 2 + 1, ' ')
    return compressions.map((compress): Transport => {
      const bomb = compress(whole)
      return () => ({ ...bomb })
    })
  })
}

function mediaTypes(): string[] {
  const others = [
    '',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]
  const spellings = ['application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"']
  const near = [
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/problem+json',
    'application/jsonx',
  ]
  return [...others, ...spellings, ...near, `application/json; ${'x'.repeat(2_000)}=1`]
}

/** Makes a counterexample readable. */
function readable(made: Case): Case {
  const { body, headers } = made
  const describe = () =>
    `${JSON.stringify(headers)} ${body.length} bytes ${JSON.stringify(body.subarray(0, 4_000).toString('latin1'))}`
  return Object.defineProperty(made, fc.toStringMethod, { value: describe, enumerable: false })
}
