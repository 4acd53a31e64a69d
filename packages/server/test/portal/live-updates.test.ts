import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createLiveUpdates, type LivePage } from '../../src/portal/live-updates.ts'
import type { Visit } from '../../src/portal/visit/visit.ts'

/** Streams for any user of any account at any address. A user named "nobody" has no session. */
async function aPortal() {
  const clock = createManualClock()
  const page = { content: 'first' }
  const counts = { watched: 0, shown: 0 }
  const ended = new Set(['nobody'])
  const visits = {
    async find({ cookies = '' }: { cookies: string | undefined }) {
      const [userId = '', accountId = ''] = cookies.split(' of ')
      if (ended.has(userId)) return undefined
      // The streams use the principal only.
      return { session: { secret: userId, principal: { userId, accountId } } } as Visit
    },
  }
  const live = createLiveUpdates({ visits, clock } as unknown as Parameters<typeof createLiveUpdates>[0])
  const app = express().get('/', ({ query, path }, response) => {
    const visitor = { cookies: String(query.user), address: String(query.address), userAgent: undefined }
    const livePage: LivePage = {
      async watch() {
        counts.watched++
        return page.content
      },
      async show() {
        counts.shown++
        const live = { contents: new Map([['part', `<b>${page.content}</b>`]]), lists: new Map() }
        return { status: 200, headers: {}, live }
      },
    }
    return live.stream(visitor, response, livePage, path)
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })

  async function connect(user: string, address = '192.0.2.7', encoding = 'identity') {
    const aborted = new AbortController()
    onTestFinished(() => aborted.abort())
    const query = new URLSearchParams({ user, address })
    const response = await fetch(`http://127.0.0.1:${port}/?${query}`, {
      signal: aborted.signal,
      headers: { 'accept-encoding': encoding },
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    return { status: response.status, close: () => aborted.abort(), read: async () => (await reader?.read())?.value }
  }

  return {
    clock,
    page,
    counts,
    end: (userId: string) => void ended.add(userId),
    connect,
    /** Opens a stream and returns the status of its answer. */
    open: async (user: string, address: string) => (await connect(user, address)).status,
  }
}

/** Statuses in order, each with how often it came in a row. */
function inARow(statuses: number[]): [status: number, times: number][] {
  const rows: [number, number][] = []
  for (const status of statuses) {
    const last = rows.at(-1)
    if (last?.[0] === status) last[1]++
    else rows.push([status, 1])
  }
  return rows
}

test('an account has a quarter of the streams, and another account at other addresses still gets one', async () => {
  const { open } = await aPortal()
  const statuses: number[] = []
  for (let n = 0; n < 130; n++) statuses.push(await open(`user${n} of acme`, `192.0.2.${n}`))
  expect(inARow(statuses)).toEqual([
    [200, 125],
    [503, 5],
  ])

  expect(await open('rival of other', '192.0.2.200')).toBe(200)
})

test('an address has a quarter of the streams, and the same account gets one at another address', async () => {
  const { open } = await aPortal()
  const statuses: number[] = []
  for (let n = 0; n < 130; n++) statuses.push(await open(`user${n} of account${n}`, '192.0.2.7'))
  expect(inARow(statuses)).toEqual([
    [200, 125],
    [503, 5],
  ])

  expect(await open('user129 of account129', '192.0.2.8')).toBe(200)
})

test('a stream sends the parts at the start and at every difference, once a second, and ends with the session', async () => {
  const { clock, connect, page, end } = await aPortal()
  const { read } = await connect('pilot of acme')
  const parts = (content: string) =>
    `event: parts\ndata: {"nowMs":${clock.now()},"contents":{"part":"<b>${content}</b>"},"lists":{}}\n\n`
  expect(await read()).toBe(parts('first'))

  await clock.advance(14_000)
  page.content = 'second'
  await clock.advance(1_000)
  expect(await read()).toBe(parts('second'))
  await clock.advance(15_000)
  expect(await read()).toBe(`event: same\ndata: {"nowMs":${clock.now()}}\n\n`)

  end('pilot')
  await clock.advance(1_000)
  expect(await read()).toBe('event: gone\ndata:\n\n')
  expect(await read()).toBeUndefined()
})

test('a stream is compressed for a browser that takes it, and each event arrives at once', async () => {
  const { clock, connect, page } = await aPortal()
  const { read } = await connect('pilot of acme', '192.0.2.7', 'gzip')
  expect(await read()).toContain('<b>first</b>')
  page.content = 'second'
  await clock.advance(1_000)
  expect(await read()).toContain('<b>second</b>')
})

test('without a session there is no stream', async () => {
  const { open } = await aPortal()
  expect(await open('nobody of acme', '192.0.2.7')).toBe(403)
})

test('a stream that the browser closes makes room for another', async () => {
  const { connect, open } = await aPortal()
  const { close } = await connect('pilot of acme')
  for (let n = 1; n < 10; n++) await open('pilot of acme', '192.0.2.7')
  expect(await open('pilot of acme', '192.0.2.7')).toBe(503)

  close()
  await vi.waitFor(async () => expect(await open('pilot of acme', '192.0.2.7')).toBe(200))
})

test('a user has at most ten streams', async () => {
  const { open } = await aPortal()
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push(await open('pilot of acme', '192.0.2.7'))
  expect(inARow(statuses)).toEqual([
    [200, 10],
    [503, 1],
  ])
})

test('the streams of an account that show the same page are one poll, and those of a session one page', async () => {
  const { clock, connect, counts, page } = await aPortal()
  for (let n = 0; n < 10; n++) await (await connect('pilot of acme')).read()
  const other = await connect('copilot of acme')
  await other.read()
  expect(counts).toEqual({ watched: 1, shown: 2 })

  page.content = 'second'
  await clock.advance(1_000)
  expect(await other.read()).toContain('second')
  expect(counts).toEqual({ watched: 2, shown: 4 })

  await (await connect('rival of other')).read()
  expect(counts).toEqual({ watched: 3, shown: 5 })
})
