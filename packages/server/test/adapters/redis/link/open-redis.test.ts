import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hangsAfterMs, until } from '../../../../../../testing/real-time.ts'
import { openStorage } from '../../../../src/composition/storage/storage.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import { SettingsError } from '../../../../src/errors.ts'
import { resolveSettings } from '../../../../src/settings/resolve-settings.ts'
import { aRedisServer, testWithRedisServer } from '../redis-server.ts'

const clock = createManualClock()
const settingsOf = (flags: Record<string, string | boolean>) => resolveSettings({ flags, environment: {} })

describe('--redis', () => {
  test('a value that is not a Redis URL is refused, and the message does not repeat it', () => {
    for (const wrong of ['hush-hush', 'http://:hush-hush@localhost', 'redis://:hush-hush@host:1/first', 'redis://']) {
      const read = () => settingsOf({ redis: wrong })
      expect(read).toThrow(SettingsError)
      expect(read).toThrow('--redis must be a URL such as "redis://redis.example.com:6379"')
      expect(read).not.toThrow('hush-hush')
    }
  })

  test('the default durability is "always", and an unknown one is refused', () => {
    expect(settingsOf({ redis: 'rediss://user:word@host:6380/2' }).redisDurability).toBe('always')
    expect(() => settingsOf({ 'redis-durability': 'sometimes' })).toThrow('"always" or "everysec" or "none"')
  })

  test('an unreachable Redis is a settings error that does not show the password', async () => {
    const settings = settingsOf({ memory: true, redis: 'redis://:hush-hush@127.0.0.1:1' })
    const refusal = await openStorage({ settings, clock, role: 'server' }).catch((error) => error)
    expect(refusal).toBeInstanceOf(SettingsError)
    expect(refusal.message).toBe('--redis at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1')
  })

  test.each([
    ['server', 3],
    ['tool', 1],
  ] as const)('a %s opens a Redis that accepts connections and does not answer %s times', async (role, attempts) => {
    const connections: Socket[] = []
    const mute = createServer((socket) => connections.push(socket.on('error', () => {})))
    await once(mute.listen(0, '127.0.0.1'), 'listening')
    const { port } = mute.address() as AddressInfo
    const settings = settingsOf({ memory: true, redis: `redis://127.0.0.1:${port}` })

    await expect(openStorage({ settings, clock, role, redisAnswerMs: 200 })).rejects.toThrow(
      `--redis at 127.0.0.1:${port} cannot be used: `,
    )
    await until('each attempt is accepted', () => connections.length >= attempts)
    expect(connections).toHaveLength(attempts)

    for (const socket of connections) socket.destroy()
    await new Promise((resolve) => mute.close(resolve))
  })

  testWithRedisServer('processes with separate folders and a tool share state, logs and recent reports', async () => {
    const redis = await aRedisServer()
    const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'posrep-'))))
    const open = (dataDir = '.', role: 'server' | 'tool' = 'server') =>
      openStorage({
        settings: settingsOf({ redis: redis.url, 'data-dir': dataDir }),
        clock,
        role,
        redisAnswerMs: hangsAfterMs,
      })
    const [first, second, tool] = [await open(folders[0]), await open(folders[1]), await open(undefined, 'tool')]

    await first.store.put('key', 'value', 60_000)
    await tool.directory.insert('account', { id: 'acme', name: 'Acme' })
    await second.revocationFeed.announce({ subject: 'user:pilot', atMs: 1 }, 60_000)
    await first.reportLog.append([{ queue: 'a', body: 'report' }])
    await first.deliveryLog.append([{ queue: 'a', body: 'delivery' }])
    const recent = { seq: 1, receivedAtMs: 1, report: '{}', positions: 1, tags: [] }
    await first.recentReports.append('a', [recent], { sinceMs: 0, limit: 10, maxBytes: 1_000, maxBytesOfClient: 1_000 })

    expect(await second.store.take('key')).toBe('value')
    expect(await first.directory.find('account', 'acme')).toEqual({ id: 'acme', name: 'Acme' })
    expect((await first.revocationFeed.read('')).revocations).toEqual([{ subject: 'user:pilot', atMs: 1 }])

    expect(await second.reportLog.list('a', { limit: 10 })).toMatchObject([{ body: 'report' }])
    expect(await tool.deliveryLog.list('a', { limit: 10 })).toMatchObject([{ body: 'delivery' }])
    expect((await second.recentReports.list('a', { sinceMs: 0, limit: 10 })).entries).toEqual([recent])
    expect(await readdir(folders[0] ?? '')).toEqual([])

    for (const storage of [first, second, tool]) await storage.close()
    for (const folder of folders) await rm(folder, { recursive: true })
    await redis.stop()
  })

  testWithRedisServer('a Redis without persistence is a settings error that says what to set', async () => {
    const redis = await aRedisServer({ settings: ['--save', ''] })
    const settings = settingsOf({ memory: true, redis: redis.url })
    await expect(openStorage({ settings, clock, role: 'server' })).rejects.toThrow(
      `--redis at 127.0.0.1:${redis.port} cannot be used: it loses its data when it restarts; set "appendonly yes"`,
    )
    await redis.stop()
  })
})
