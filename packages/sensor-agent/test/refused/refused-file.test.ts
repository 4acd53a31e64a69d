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

test('a resend that fails keeps all positions listed, and what is refused meanwhile', async () => {
  const { refused } = await aFile()
  await refused.append([refusal('1'), refusal('2')])

  const failing = refused.resend(async () => {
    await refused.append([refusal('3')])
    throw new Error('offline')
  })
  await expect(failing).rejects.toThrow('offline')
  expect((await refused.list()).map(({ json }) => json)).toEqual(['1', '2', '3'].map((id) => refusal(id).json))

  const sent: string[] = []
  expect(await refused.resend(async (json) => void sent.push(json))).toBe(3)
  expect(sent).toHaveLength(3)
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
