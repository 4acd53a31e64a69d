/** Test builders: a receiver, a report, a message, a request, a clock that only the test advances, a signing key. */
import type { JwkSet, PositionData, PositionReport, RelayMessage } from '@posrep/spec'
import { type OnReport, type ReceiverOptions, type RelayReceiver, relayReceiver } from '../src/index.ts'
import type { Clock } from '../src/ports.ts'
import { createSigningKey } from '../src/testing/signing-key.ts'

/** A receiver without signatures, for tests of everything else. */
export function aReceiver(
  options: Partial<Omit<ReceiverOptions, 'from' | 'acceptUnsigned'>> & { onReport?: OnReport } = {},
): RelayReceiver['fetch'] {
  return relayReceiver({ onReport: () => {}, ...options, acceptUnsigned: true }).fetch
}

export const nowMs = Date.UTC(2026, 0, 7, 12, 0, 31)

export function aPosition(position: Partial<PositionData> = {}): PositionData {
  return {
    id: '461f9c-1767787230',
    sourceTimeStamp: '2026-01-07T12:00:30.250Z',
    position: { lat: 60.31721, lon: 24.9633 },
    ...position,
  }
}

export function aReport(report: Partial<PositionReport> = {}): PositionReport {
  return { sensor: { id: 'roof1' }, positions: [aPosition()], ...report }
}

export function aReportMessage(positionReport: PositionReport = aReport()): RelayMessage {
  return { name: 'position_report', version: '1.0', positionReport }
}

/** A `webhook-id` of a device of the account acme. */
export function anId(sensor: string, hash: string): string {
  return `urn:aa:device:acme:${sensor}/${hash}`
}

export const validationCode = '0b9f6d4e-5f0e-4f1b-9c55-2f6a0f1f3f51'

export interface RequestParts {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream
}

/** A POST of a report message, unless the parts say otherwise. */
export function aRequest({
  method = 'POST',
  headers = {},
  body = JSON.stringify(aReportMessage()),
}: RequestParts = {}): Request {
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1', ...headers },
    duplex: 'half',
  }
  if (method !== 'GET') init.body = body
  return new Request('https://relay.example.net/position-reports', init)
}

export function aValidationRequest(): Request {
  return aRequest({ body: JSON.stringify({ name: 'validate', version: '1.0', validationCode }) })
}

export interface FakeClock extends Clock {
  /** Advances the time and resolves each sleep() that has ended. */
  advance(ms: number): Promise<void>
  /** Number of sleeps that have not ended. */
  sleeping(): number
}

export function fakeClock(startMs = nowMs): FakeClock {
  let now = startMs
  const sleepers = new Set<{ untilMs: number; wake: () => void }>()
  return {
    now: () => now,
    sleeping: () => sleepers.size,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const sleeper = { untilMs: now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          resolve()
        })
      })
    },
    async advance(ms) {
      now += ms
      for (const sleeper of sleepers) {
        if (sleeper.untilMs > now) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
    },
  }
}

export interface SigningKey {
  jwk: JwkSet['keys'][number]
  /** Returns the three Standard Webhooks headers of an attempt. */
  sign(body: string, attempt?: { id?: string; atMs?: number }): Promise<Record<string, string>>
}

export async function aSigningKey(kid = 'relay-2026-01'): Promise<SigningKey> {
  const key = await createSigningKey()
  return {
    jwk: { ...key.publicJwk, kid },
    async sign(body, { id = 'msg_1', atMs = nowMs } = {}) {
      const timestamp = String(Math.floor(atMs / 1000))
      const signature = await key.sign(`${id}.${timestamp}.${body}`)
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    },
  }
}

/** The service's key for access tokens, published in the same set. */
export const tokenKey: JwkSet['keys'][number] = {
  kty: 'EC',
  kid: 'token-2026-01',
  use: 'sig',
  alg: 'ES256',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}

/** A promise that the test settles. */
export function deferred() {
  let resolve = () => {}
  let reject = (_cause: Error) => {}
  const promise = new Promise<void>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}
