import { describe, expect, test } from 'vitest'
import { aFile, anOpenDatabase, aTool } from '../a-database.ts'

const options = { queues: 10, entries: 10, leaseMs: 10_000 }

describe('an entry that another process writes', () => {
  test('is leased by the server within a second when it was unburied', async () => {
    const file = await aFile()
    const { log, clock } = await anOpenDatabase({ file })
    await log.append([{ queue: 'a', body: '1' }])
    const [lease] = await log.lease(options)
    const seq = lease?.entries[0]?.seq ?? 0
    await log.settle({ queue: 'a', fence: lease?.fence ?? 0 }, { accepted: [], buried: [{ seq, reason: 'poison' }] })
    const heard = new Promise<void>((resolve) => log.watch(resolve))

    const tool = await aTool(file)
    expect(await tool.log.unbury([seq])).toBe(1)
    await heard

    expect((await log.lease(options)).map(({ entries }) => entries.map(({ body }) => body))).toEqual([['1']])
    expect(await log.depth()).toEqual({ waiting: 1, buried: 0, oldestAppendedAtMs: clock.now() })
  })

  test('is in the queue between those that the server appends before and after it', async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    const tool = await aTool(file)
    for (let n = 0; n < 10; n++) await (n % 2 === 0 ? log : tool.log).append([{ queue: 'a', body: String(n) }])
    await log.append([{ queue: 'a', body: '10' }])

    const [lease] = await log.lease({ ...options, entries: 20 })
    expect(lease?.entries.map(({ body }) => Number(body))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('a tool cannot lease', async () => {
    const file = await aFile()
    const { log } = await anOpenDatabase({ file })
    await log.append([{ queue: 'a', body: '1' }])
    const tool = await aTool(file)
    await expect(tool.log.lease(options)).rejects.toThrow('cannot lease')
    expect(await tool.log.depth()).toMatchObject({ waiting: 1 })
    expect(await tool.log.list('a', { limit: 1 })).toMatchObject([{ body: '1' }])
  })
})
