import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { refusedFile } from '../../src/refused/refused-file.ts'
import { anAgent, aPosition } from '../support/an-agent.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { problem } from '../support/network.ts'
import { aTempFolder } from '../support/temp-folder.ts'

const refusal = (id: string) => ({ json: `{ "id": "${id}",\n"x": 1e2 }`, reason: 'must be -90 to 90', status: 400 })

async function aFile(maxBytes?: number) {
  const path = join(await aTempFolder(), 'refused.ndjson')
  const clock = createManualClock()
  return { path, refused: refusedFile(path, { clock, ...(maxBytes !== undefined && { maxBytes }) }) }
}

test('refused positions are listed with the reason and the time, as they were reported', async () => {
  const { path, refused } = await aFile()
  expect(await refused.list()).toEqual([])

  await refused.append([refusal('1'), { ...refusal('2'), pointer: '/position/lat' }])

  const refusedAt = '2026-11-21T12:00:00.000Z'
  expect(await refusedFile(path).list()).toEqual([
    { refusedAt, ...refusal('1') },
    { refusedAt, ...refusal('2'), pointer: '/position/lat' },
  ])
})

test('the agent fills the file through onRefused', async () => {
  const { refused } = await aFile()
  const { agent, clock } = anAgent(() => problem(403, { detail: 'not this sensor' }), { onRefused: refused.append })

  await agent.report(aPosition(1))
  await clock.advance(1_000)
  await agent.close({ drain: false })

  expect(await refused.list()).toMatchObject([{ status: 403, reason: expect.stringContaining('not this sensor') }])
})

test('resend() passes every position and empties the file', async () => {
  const { path, refused } = await aFile()
  await refused.append([refusal('1'), refusal('2')])
  const sent: string[] = []

  expect(await refused.resend(async (json) => void sent.push(json))).toBe(2)

  expect(sent).toEqual([refusal('1').json, refusal('2').json])
  expect(await refused.list()).toEqual([])
  expect(await readdir(dirname(path))).toEqual([])
})

test('a resend that fails keeps what was not sent listed, and what is refused meanwhile; the next one goes on', async () => {
  const { path, refused } = await aFile()
  await refused.append(['1', '2', '3'].map(refusal))

  const sent: string[] = []
  const failing = refused.resend(async (json) => {
    if (sent.length === 1) throw new Error('offline')
    sent.push(json)
    await refused.append([refusal('4')])
  })
  await expect(failing).rejects.toThrow('offline')
  expect((await refused.list()).map(({ json }) => json)).toEqual(['2', '3', '4'].map((id) => refusal(id).json))

  expect(await refusedFile(path).resend(async (json) => void sent.push(json))).toBe(3)
  expect(sent).toEqual(['1', '2', '3', '4'].map((id) => refusal(id).json))
  expect(await readdir(dirname(path))).toEqual([])
})

test('a resend that ends at any byte of its file repeats at most the position whose note was cut', async () => {
  const { path, refused } = await aFile()
  await refused.append(['1', '2', '3'].map(refusal))
  const before = (await readFile(path)).length
  const stopped = refused.resend(async (json) => {
    if (json === refusal('3').json) throw new Error('killed')
  })
  await expect(stopped).rejects.toThrow('killed')
  const taken = `${path}.resending-00000001`
  const bytes = await readFile(taken)
  const noteBytes = (bytes.length - before) / 2

  for (let cut = before; cut <= bytes.length; cut += 1) {
    await writeFile(taken, bytes.subarray(0, cut))
    const sent: string[] = []
    await refused.resend(async (json) => void sent.push(json))
    // A note without its line end is whole.
    const noted = Math.floor((cut + 1 - before) / noteBytes)
    expect(sent, `cut at ${cut}`).toEqual(['1', '2', '3'].slice(noted).map((id) => refusal(id).json))
  }
})

test('what follows a line that a power cut has damaged is not lost', async () => {
  const { path, refused } = await aFile()
  await refused.append([refusal('1')])
  await writeFile(path, `${await readFile(path, 'utf8')}{"json":"{\\"id`)

  await refused.append([refusal('2')])

  expect((await refused.list()).map(({ json }) => json)).toEqual(['1', '2'].map((id) => refusal(id).json))
})

test('a damaged line is left out', async () => {
  const { path, refused } = await aFile()
  await refused.append([refusal('1')])
  await writeFile(path, `${await readFile(path, 'utf8')}{"json":"{\\"id`)

  expect(await refused.list()).toHaveLength(1)
})

test('the file stays within its limit: the older half is removed', async () => {
  const { path, refused } = await aFile(2_000)
  for (let id = 0; id < 100; id += 1) await refused.append([refusal(String(id))])

  expect((await readFile(path)).length).toBeLessThanOrEqual(2_000)
  const listed = await refused.list()
  expect(listed.at(-1)?.json).toBe(refusal('99').json)
  expect(listed.length).toBeGreaterThan(5)
})
