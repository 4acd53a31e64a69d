/**
 * A sensor without the agent, for tests that check the server's answers.
 * In: the ingest origin and the development CA. Out: its token, and every answer unchanged. It rejects if there is no
 * answer.
 */
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import type { PositionData } from '@posrep/spec'
import { currentTimeMs, hangsAfterMs, until } from '../../testing/real-time.ts'
import { fleet } from './seed.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export interface Sensor {
  localId: string
  token: string
  /** @param origin Default: the origin it was created with. Rejects after `deadlineMs`. */
  submit(body: string | Buffer, options?: SubmitOptions): Promise<Answer>
  close(): void
}

export interface SubmitOptions {
  origin?: string
  headers?: Record<string, string>
  deadlineMs?: number
}

export interface SensorOptions {
  origin: string
  ca: string
  localId?: string
  /** The client that it gets its token with. Default: the one of the seed. */
  client?: { id: string; secret: string }
  /** Number of open connections. Default 1. */
  connections?: number
}

export async function aSensor({
  origin,
  ca,
  localId = 'roof1',
  client = fleet,
  connections = 1,
}: SensorOptions): Promise<Sensor> {
  const secure = new https.Agent({ keepAlive: true, maxSockets: connections, ca })
  const plain = new http.Agent({ keepAlive: true, maxSockets: connections })

  function post(url: URL, headers: Record<string, string>, body: string | Buffer, deadlineMs: number): Promise<Answer> {
    const isSecure = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const request = (isSecure ? https : http).request(url, {
        method: 'POST',
        agent: isSecure ? secure : plain,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal: AbortSignal.timeout(deadlineMs),
      })
      request.once('error', reject).once('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        response.once('error', reject).once('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, headers: answered, body: text })
        })
      })
      request.end(body)
    })
  }

  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
    device_id: localId,
  })
  const askForToken = () =>
    post(
      new URL('/oauth/v2/token', origin),
      { 'content-type': 'application/x-www-form-urlencoded' },
      form.toString(),
      hangsAfterMs,
    )
  let granted = await askForToken()
  // Like a sensor, it asks a busy service again.
  if (granted.status === 503)
    await until('a token is issued', async () => (granted = await askForToken()).status !== 503)
  if (granted.status !== 200) throw new Error(`No token for "${localId}": ${granted.status} ${granted.body}`)
  const token: string = JSON.parse(granted.body).access_token

  return {
    localId,
    token,
    submit: (body, { origin: at = origin, headers, deadlineMs = hangsAfterMs } = {}) =>
      post(
        new URL('/v1/position-reports', at),
        { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body,
        deadlineMs,
      ),
    close() {
      secure.destroy()
      plain.destroy()
    },
  }
}

/** A report with this number of positions, whose ids begin with `id`. */
export function aReportText(id: string, positions = 1): string {
  return JSON.stringify({
    positions: Array.from({ length: positions }, (_, n) => aPosition(n === 0 ? id : `${id}-${n}`)),
  })
}

/** The same, of this size. It is padded inside, because blanks at the end are not stored everywhere. */
export function aLargeReportText(id: string, bytes: number, positions = 1): string {
  const text = aReportText(id, positions)
  const end = text.lastIndexOf('}]}')
  const [before, after] = [',"additionalInfo":{"padding":"', '"}']
  const padding = 'x'.repeat(bytes - text.length - before.length - after.length)
  return `${text.slice(0, end)}${before}${padding}${after}${text.slice(end)}`
}

function aPosition(id: string): PositionData {
  return {
    id,
    sourceTimeStamp: new Date(currentTimeMs()).toISOString(),
    position: { lat: 60.3172, lon: 24.9633, accuracy: 10 },
    altitudes: [{ height: 1_200.5, datum: 'wgs84' }],
    groundVelocity: { x: 81.2, y: -12.7, z: 0.5 },
    target: { ids: [{ id: '4601F2', type: 'ICAO' }] },
  }
}
