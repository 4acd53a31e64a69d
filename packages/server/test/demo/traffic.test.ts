import { gunzipSync } from 'node:zlib'
import type { PositionReport } from '@posrep/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { startTraffic } from '../../src/demo/traffic.ts'
import { silentLogger } from '../a-server.ts'

/** The demo, started this long after an earlier run had ended, and what its sensors have reported. */
function aRestart(heardBeforeMs: number) {
  const clock = createManualClock()
  const heard = new Set<string>()
  const traffic = startTraffic({
    origin: new URL('https://localhost:8443'),
    heardAtMs: clock.now() - heardBeforeMs,
    clock,
    logger: silentLogger,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith('/token'))
        return Response.json({ access_token: 'token', token_type: 'Bearer', expires_in: 3_600 })
      const body = Buffer.from(await request.arrayBuffer())
      const text = request.headers.get('content-encoding') === 'gzip' ? gunzipSync(body) : body
      const { positions }: PositionReport = JSON.parse(text.toString())
      for (const { target } of positions) for (const { id } of target?.ids ?? []) heard.add(id)
      return new Response(null, { status: 202 })
    },
  })
  onTestFinished(() => traffic.stop())
  return { clock, heard, isRecorded: () => [...heard].some((id) => !id.includes('DEMO')) }
}

test('a restarted demo does not play its recording while targets of the earlier run may be there', async () => {
  const { clock, heard, isRecorded } = aRestart(1_000)
  await clock.advance(63_999)
  await vi.waitFor(() => expect(heard).toContain('DEMO1'))
  expect(isRecorded()).toBe(false)

  await clock.advance(1)
  await vi.waitFor(() => expect(isRecorded()).toBe(true))
})

test('a demo that starts after the targets of the earlier run have ended plays its recording at once', async () => {
  const { clock, isRecorded } = aRestart(65_000)
  await clock.advance(0)
  await vi.waitFor(() => expect(isRecorded()).toBe(true))
})
