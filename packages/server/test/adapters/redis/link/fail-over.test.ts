/** Fail-overs to a replica that lacks the last writes that the primary acknowledged. */
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { openRedis } from '../../../../src/adapters/redis/link/open-redis.ts'
import { createRedisLog } from '../../../../src/adapters/redis/log/log.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import { type Log, type LogName, logNames } from '../../../../src/ports/storage/log.ts'
import { aRedisServer, type RedisServer, testWithRedisServer } from '../redis-server.ts'

const soon = { interval: 10 }
const aLease = { queues: 10, entries: 10, leaseMs: 60_000 }

interface Process {
  log: Log
  /** The warnings that it logged. */
  warnings: object[]
}

async function aProcess(url: string, name: LogName = 'report'): Promise<Process> {
  const warnings: object[] = []
  const logger = {
    info: () => {},
    warn: (fields: object, message: string) => void warnings.push({ ...fields, message }),
  }
  const { service: link, close } = await openRedis({
    url,
    durability: 'always',
    role: 'server',
    logger,
    answerMs: hangsAfterMs,
  })
  onTestFinished(close)
  return { log: createRedisLog({ link, clock: createManualClock(), name }), warnings }
}

/**
 * Copies the data of a Redis, and restores the copy later. This is equivalent to a replica that lags behind and takes
 * over.
 */
async function aReplicaOf(redis: RedisServer): Promise<{ takeOver(): Promise<void> }> {
  const copy = `${redis.folder}-copy`
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  await cp(redis.folder, copy, { recursive: true })
  return {
    async takeOver() {
      await redis.kill()
      await rm(redis.folder, { recursive: true })
      await cp(copy, redis.folder, { recursive: true })
      await redis.start()
    },
  }
}

testWithRedisServer.for(logNames)(
  'I1: a process that works on lost entries of the %s log cannot settle newer ones',
  async (name) => {
    const redis = await aRedisServer()
    const { log } = await aProcess(redis.url, name)
    await log.append([{ queue: 'a', body: 'before' }])
    const replica = await aReplicaOf(redis)
    await log.append([{ queue: 'a', body: 'lost' }])
    const [lost] = await log.lease(aLease)
    if (!lost) throw new Error('Nothing to lease')

    await replica.takeOver()
    await vi.waitFor(() => log.append([{ queue: 'a', body: 'since' }]), soon)
    await log.lease(aLease)

    expect(await log.settle(lost, { accepted: lost.entries.map(({ seq }) => seq) })).toBe(false)
    const left = await log.list('a', { limit: 10 })
    expect(left.map(({ body }) => body)).toEqual(['before', 'since'])
    expect(left.at(-1)?.seq).toBeGreaterThan(Math.max(...lost.entries.map(({ seq }) => seq)))
  },
)

testWithRedisServer.for(logNames)(
  'each process warns how many of its last entries of the %s log are missing',
  async (name) => {
    const redis = await aRedisServer()
    const processes = [await aProcess(redis.url, name), await aProcess(redis.url, name)]
    for (const { log } of processes) await log.append([{ queue: 'a', body: 'before' }])
    const replica = await aReplicaOf(redis)
    for (const { log } of processes) await log.append([1, 2, 3].map((n) => ({ queue: 'a', body: `lost ${n}` })))

    await replica.takeOver()
    for (const { log } of processes) await vi.waitFor(() => log.append([{ queue: 'a', body: 'since' }]), soon)

    const aWarning = (missing: number) =>
      expect.objectContaining({ log: name, missing, message: expect.stringContaining('redis lost') })
    expect(processes[0]?.warnings).toContainEqual(aWarning(3))
    expect(processes[1]?.warnings).toContainEqual(aWarning(6))
  },
)

testWithRedisServer('a Redis that restarts with all of its data causes no warning', async () => {
  const redis = await aRedisServer()
  const { log, warnings } = await aProcess(redis.url)
  await log.append([{ queue: 'a', body: 'before' }])

  for (const body of ['since', 'later']) {
    await redis.kill()
    await redis.start()
    await vi.waitFor(() => log.append([{ queue: 'a', body }]), soon)
  }

  expect((await log.list('a', { limit: 10 })).map(({ body }) => body)).toEqual(['before', 'since', 'later'])
  expect(warnings).not.toContainEqual(expect.objectContaining({ message: expect.stringContaining('redis lost') }))
})

testWithRedisServer('I10: the connection moves to the new primary when the address has moved to it', async () => {
  const [first, second] = [await aRedisServer(), await aRedisServer()]
  const address = await anAddress(first.port)
  const { log } = await aProcess(address.url)
  await log.append([{ queue: 'a', body: 'before' }])
  await first.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
  await second.command('REPLICAOF', '127.0.0.1', String(first.port))
  await vi.waitFor(async () => expect(await second.command('INFO', 'replication')).toContain('link_status:up'), soon)

  // A planned failover, as by an operator: the old primary keeps running, and the connection to it stays open.
  await first.command('FAILOVER')
  await vi.waitFor(async () => expect(await second.command('INFO', 'replication')).toContain('role:master'), soon)
  address.moveTo(second.port)

  await vi.waitFor(() => log.append([{ queue: 'a', body: 'since' }]), soon)
  expect((await log.list('a', { limit: 10 })).map(({ body }) => body)).toEqual(['before', 'since'])
})

/** A proxy. New connections go to the port that it was moved to last; existing connections stay. */
async function anAddress(port: number): Promise<{ url: string; moveTo(port: number): void }> {
  let target = port
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).pipe(to)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // Listening on TCP, as here, gives an AddressInfo.
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, moveTo: (to) => void (target = to) }
}
