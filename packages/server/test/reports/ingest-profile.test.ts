import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPosition } from '../a-report.ts'
import { aServer, roof2, type ServerUnderTest } from '../a-server.ts'

const path = '/v1/position-reports'
const { id, sourceTimeStamp } = aPosition()
const coordinates = { lat: 60.31721, lon: 24.9633 }

/** A mistake of a sender, and the error of the strict profile. */
const mistakes: [what: string, position: object, detail: string][] = [
  ['"lng"', { id, sourceTimeStamp, position: { lat: 60.3, lng: 24.9 } }, 'did you mean "lon" where it says "lng"?'],
  ['an id inside "position"', { sourceTimeStamp, position: { ...coordinates, id } }, 'it stands inside "position"'],
  ['a time inside "position"', { id, position: { ...coordinates, sourceTimeStamp } }, 'it stands inside "position"'],
  ['a time without its zeros', aPosition({ sourceTimeStamp: '2026-1-7T9:05:3Z' }), 'did you leave out leading zeros?'],
  [
    'information in a string',
    aPosition({ additionalInfo: '{"squawk":"7000"}' as never }),
    'send the object itself, not its JSON in a string',
  ],
]

describe.each([
  ['the fast path', true],
  ['Express', false],
])('through %s', (_way, fastPath) => {
  let strict: ServerUnderTest
  let compat: ServerUnderTest
  beforeAll(async () => {
    strict = await aServer({ fastPath })
    compat = await aServer({ fastPath, flags: { 'ingest-profile': 'compat' } })
  })
  afterAll(() => Promise.all([strict.stop(), compat.stop()]))

  async function recentOf(server: ServerUnderTest): Promise<{ text: string; tags: string[][] }> {
    await server.processed()
    const text = await (await server.get(`/v1/devices/${roof2}/recent`, await server.userToken())).text()
    const { data } = JSON.parse(text) as { data: { tags: string[] }[] }
    return { text, tags: data.map(({ tags }) => tags) }
  }

  test.each(mistakes)('the strict profile refuses %s and names the likely mistake', async (_what, position, detail) => {
    const response = await strict.post(path, await strict.deviceToken(), { positions: [position] })
    expect([response.status, (await response.json()) as object]).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringContaining(detail) }),
    ])
  })

  test.each(mistakes)(
    'the compat profile accepts %s, tags the report, and shows it as submitted',
    async (_what, position) => {
      const response = await compat.post(path, await compat.deviceToken('fleet', 'roof2'), { positions: [position] })
      const { text, tags } = await recentOf(compat)
      expect([response.status, tags[0]?.includes('mended')]).toEqual([202, true])
      expect(text).toContain(JSON.stringify(position))
    },
  )

  test('the compat profile does not tag a report without mistakes', async () => {
    const report = { positions: [aPosition({ id: 'right' })] }
    expect((await compat.post(path, await compat.deviceToken('fleet', 'roof2'), report)).status).toBe(202)
    expect((await recentOf(compat)).tags[0]).not.toContain('mended')
  })

  test('the compat profile refuses a report that cannot be mended', async () => {
    const response = await compat.post(path, await compat.deviceToken(), { positions: [{ position: { lng: 1 } }] })
    expect(response.status).toBe(400)
  })
})
