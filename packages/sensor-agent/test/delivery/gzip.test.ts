import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createSendBatch, type SendBatchOptions } from '../../src/delivery/send-batch.ts'
import { aTokenSource } from '../support/an-agent.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { accepted, problem } from '../support/network.ts'

const position = JSON.stringify({ id: 'p', note: 'ä'.repeat(1_000) })

function aSendBatch(answer: (encoding: string | null) => Response, rest: Partial<SendBatchOptions> = {}) {
  const bodies: { encoding: string | null; bytes: Buffer }[] = []
  const sendBatch = createSendBatch({
    ingestOrigin: new URL('https://ingest.example'),
    sensor: { id: 'roof1' },
    tokens: aTokenSource(),
    clock: createManualClock(),
    fetch: async (request) => {
      const encoding = request.headers.get('content-encoding')
      bodies.push({ encoding, bytes: Buffer.from(await request.arrayBuffer()) })
      return answer(encoding)
    },
    deadlineMs: 10_000,
    gzipFromBytes: 1_400,
    onDate: () => undefined,
    signal: new AbortController().signal,
    ...rest,
  })
  return { sendBatch, bodies }
}

test('a large body is compressed and arrives unchanged; a small one is sent as it is', async () => {
  const { sendBatch, bodies } = aSendBatch(() => accepted())

  await sendBatch([position])
  await sendBatch(['{"id":"q"}'])

  const [large, small] = bodies
  expect(large?.encoding).toBe('gzip')
  expect(gunzipSync(large?.bytes ?? '').toString()).toBe(`{"sensor":{"id":"roof1"},"positions":[${position}]}`)
  expect(small).toEqual({ encoding: null, bytes: Buffer.from('{"sensor":{"id":"roof1"},"positions":[{"id":"q"}]}') })
  expect(sendBatch.bytesSent()).toBe((large?.bytes.length ?? 0) + (small?.bytes.length ?? 0))
})

test('a service that does not read gzip gets the same report uncompressed, and all later ones', async () => {
  const { sendBatch, bodies } = aSendBatch((encoding) => (encoding ? problem(415) : accepted()))

  expect(await sendBatch([position])).toEqual({ kind: 'accepted' })
  expect(await sendBatch([position])).toEqual({ kind: 'accepted' })

  expect(bodies.map(({ encoding }) => encoding)).toEqual(['gzip', null, null])
})

test('a 415 for an uncompressed body refuses it', async () => {
  const { sendBatch } = aSendBatch(() => problem(415), { gzipFromBytes: Number.POSITIVE_INFINITY })
  expect(await sendBatch([position])).toMatchObject({ kind: 'refused', status: 415 })
})
