import { expect, test } from 'vitest'
import type { Client } from '../src/index.ts'
import { eachAirTrack, eachDelivery, eachDevice, eachRecentReport } from '../src/lists.ts'
import { aDevice } from './builders.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('devices are requested in pages, each after the last one of the page before', async () => {
  const asked: object[] = []
  const all = ['a', 'b', 'c', 'd'].map((deviceId) => aDevice({ deviceId }))
  const client: Pick<Client, 'listDevices'> = {
    async listDevices({ limit = 0, after = '' } = {}) {
      asked.push({ limit, after })
      return { data: all.filter(({ deviceId }) => deviceId > after).slice(0, limit) }
    },
  }

  expect(await collect(eachDevice(client, { pageSize: 3 }))).toEqual(all)
  expect(asked).toEqual([
    { limit: 3, after: '' },
    { limit: 3, after: 'c' },
  ])
  expect(await collect(eachDevice(client, { pageSize: 2 }))).toEqual(all)
})

test('recent reports follow "next", deliveries the last ID, and tracks "truncated"', async () => {
  const pages: Record<string, object> = {
    '': { data: [{ id: 'a' }], next: 'a', truncated: true },
    a: { data: [{ id: 'b' }], truncated: true, next: 'b' },
    b: { data: [], truncated: false },
  }
  const read = async (...parameters: unknown[]) => pages[(parameters.at(-1) as { after?: string }).after ?? ''] as never
  const client = { listRecentReports: read, listDeliveries: read, listAirTracks: read }

  expect(await collect(eachRecentReport(client, 'urn'))).toEqual([{ id: 'a' }, { id: 'b' }])
  expect(await collect(eachDelivery(client, 'urn', { pageSize: 1, state: 'buried' }))).toEqual([
    { id: 'a' },
    { id: 'b' },
  ])
  expect(await collect(eachAirTrack(client))).toEqual([{ id: 'a' }, { id: 'b' }])
})

test('an iteration that is left requests no more, and one that fails rejects', async () => {
  let requests = 0
  const client: Pick<Client, 'listDevices'> = {
    async listDevices() {
      if (++requests === 2) throw new Error('busy')
      return { data: [aDevice()] }
    },
  }

  for await (const _device of eachDevice(client, { pageSize: 1 })) break
  expect(requests).toBe(1)
  await expect(collect(eachDevice(client, { pageSize: 1 }))).rejects.toThrow('busy')
  await expect(collect(eachDevice(client, { pagesize: 1 } as object))).rejects.toThrow('"pagesize" is not an option')
})
