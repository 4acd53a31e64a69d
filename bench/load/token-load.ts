/**
 * The load generator for token endpoints, a process: keep-alive connections with one request at a time.
 * In: an order on standard input. Out: a Measurement on standard output; exit 1 when an answer is not 200.
 */
import { text } from 'node:stream/consumers'
import { Pool } from 'undici'
import { type Measurement, startMeasuring, toMeasurement } from './measurement.ts'

export interface TokenWork {
  /** URL of the token endpoint, on 127.0.0.1. */
  url: string
  grant: 'client_credentials' | 'refresh_token'
  /** Form fields of every request. */
  form: Record<string, string>
  /** For `refresh_token`: one token per connection, each of a different family. */
  refreshTokens: string[]
}

interface Order {
  work: TokenWork
  seconds: number
  connections: number
}

const order: Order = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(await measure(order)))

async function measure({ work, seconds, connections }: Order): Promise<Measurement> {
  const { origin, pathname, hostname } = new URL(work.url)
  if (hostname !== '127.0.0.1') throw new Error(`The load generator only sends to 127.0.0.1, got "${hostname}"`)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const delaysMs: number[] = []
  const startedAt = startMeasuring()
  const endAt = startedAt + seconds * 1_000

  async function run(connection: number): Promise<void> {
    const form = new URLSearchParams({ ...work.form, grant_type: work.grant })
    let refreshToken = work.refreshTokens[connection]
    while (performance.now() < endAt) {
      if (work.grant === 'refresh_token') form.set('refresh_token', refreshToken ?? '')
      const askedAt = performance.now()
      const { statusCode, body } = await pool.request({
        path: pathname,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
      })
      const answer = await body.text()
      delaysMs.push(performance.now() - askedAt)
      if (statusCode !== 200) throw new Error(`${work.url} answered ${statusCode}: ${answer}`)
      const { access_token: accessToken, refresh_token: next } = JSON.parse(answer)
      if (typeof accessToken !== 'string') throw new Error(`${work.url} returned no access token: ${answer}`)
      if (work.grant === 'refresh_token' && (typeof next !== 'string' || next === refreshToken)) {
        throw new Error(`${work.url} did not rotate the refresh token: ${answer}`)
      }
      refreshToken = next
    }
  }

  await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)))
  const measurement = toMeasurement(delaysMs, startedAt)
  await pool.close()
  return measurement
}
