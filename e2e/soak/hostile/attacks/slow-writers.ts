/**
 * Clients that write cleverly: 150 connections without an account whose bodies come in chunks of one byte, each in a
 * request of its own or behind a request whose answer nobody reads; 300 that send headers, a body, or nothing, and no
 * more; and a sensor whose reports of 1 kB inflate to 1 MiB that is not valid, or that has as many different names as
 * it may.
 */
import { gzipSync } from 'node:zlib'
import { aReportText, aSensor } from '../../../parts/a-sensor.ts'
import { getParty } from '../hostile-parties.ts'
import type { Attack } from './attack.ts'
import { keepSending } from './keep-sending.ts'
import { repeat } from './requests.ts'

const chunksOfOneByte = '1\r\na\r\n'.repeat(60_000)

export const slowWriters: Attack = async (data, started, stopping) => {
  const { ready, certificate } = data
  const { client, localIds } = getParty(0)
  const sensor = await aSensor({ origin: ready.origin, ca: certificate.ca, client, localId: localIds[0] ?? '' })
  const bodies = [manyPositions(), manyNames(), `${'['.repeat(30)}${'1,'.repeat(500_000)}`].map((text) =>
    gzipSync(text),
  )
  const { hostname } = new URL(ready.authOrigin)
  const form = `Host: ${hostname}\r\nContent-Type: application/x-www-form-urlencoded`
  const post = (header: string) => `POST /oauth/v2/token HTTP/1.1\r\n${form}\r\n${header}\r\n\r\n`
  const get = `GET /openapi.json HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
  const chunked = `${post('Transfer-Encoding: chunked')}${chunksOfOneByte}`
  started()
  await Promise.all([
    ...Array.from({ length: 75 }, () => keepSending(data, 'chunks', chunked, stopping)),
    ...Array.from({ length: 75 }, () => keepSending(data, 'chunks that wait', get.repeat(3) + chunked, stopping)),
    ...Array.from({ length: 100 }, () =>
      keepSending(data, 'headers', get.slice(0, -2) + 'a:\r\n'.repeat(3_500), stopping),
    ),
    ...Array.from({ length: 100 }, () =>
      keepSending(data, 'bodies', post('Content-Length: 65000') + 'a'.repeat(64_000), stopping),
    ),
    ...Array.from({ length: 100 }, () => keepSending(data, 'nothing', '', stopping)),
    ...repeat(8, stopping, 'reports', async (n) => {
      const headers = { 'content-encoding': 'gzip' }
      return (await sensor.submit(bodies[n % bodies.length] ?? Buffer.of(), { headers, deadlineMs: 60_000 })).status
    }),
  ])
  sensor.close()
}

function manyPositions(): string {
  return `{"positions":[${Array(340_000).fill('{}').join(',')}]}`
}

function manyNames(): string {
  const names = Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`name${n}`, 0]))
  return JSON.stringify({ ...JSON.parse(aReportText('names')), names })
}
