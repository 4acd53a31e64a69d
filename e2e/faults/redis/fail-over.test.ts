/**
 * A fail-over to a replica that lags behind, as done by Redis Sentinel or an operator: the primary dies, the replica is
 * promoted, and the address of `--redis` moves to it.
 */
import { expect, onTestFinished } from 'vitest'
import { until } from '../../../testing/real-time.ts'
import { type RedisProcess, startRedis } from '../../parts/redis-process.ts'
import { testWith } from '../../parts/requirements.ts'
import { aLink } from '../a-link.ts'
import { aScene } from '../a-scene.ts'

const portOf = ({ url }: RedisProcess) => Number(new URL(url).port)

testWith('redis-server', 'a fail-over')(
  'I1, I3, I10: loses only reports answered while the replica lagged, logs the loss, and continues in order',
  async () => {
    const [primary, replica] = await Promise.all([startRedis(), startRedis()])
    for (const { stop } of [primary, replica]) onTestFinished(stop)
    const replication = await aLink(portOf(primary))
    const address = await aLink(portOf(primary))
    for (const { stop } of [replication, address]) onTestFinished(stop)
    for (const setting of ['repl-diskless-sync-delay 0', 'repl-ping-replica-period 1', 'min-replicas-max-lag 2'])
      await primary.command(`CONFIG SET ${setting}`)
    await replica.command(`REPLICAOF 127.0.0.1 ${replication.port}`)
    await until('the replica follows', async () => (await primary.command('WAIT 1 100')) === ':1')
    const scene = await aScene({ flags: ['--redis', `redis://127.0.0.1:${address.port}`] })
    await primary.command('CONFIG SET min-replicas-to-write 1')
    const { submit, accepted, recorder, server } = scene

    for (let report = 0; report < 10; report++) expect((await submit()).status).toBe(202)
    await scene.untilAllArrived()
    const isIdle = async (log: string) => (await replica.command(`ZCARD posrep:log:${log}:ready`)) === ':0'
    await until('the replica has everything', async () => (await isIdle('report')) && (await isIdle('delivery')))
    const kept = accepted.length
    replication.cut('requests')
    replication.cut('answers')
    await until('reports are refused without the replica', async () => (await submit()).status === 503)
    const behind = accepted.splice(kept)
    await primary.kill()
    await replica.command('REPLICAOF NO ONE')
    address.leadTo(portOf(replica))
    await until('the new primary accepts reports', async () => (await submit()).status === 202)
    for (let report = 0; report < 10; report++) expect((await submit()).status).toBe(202)

    // The relay also checks the order.
    await scene.untilAllArrived()
    expect(behind.length).toBeGreaterThan(0)
    expect(accepted.length).toBeGreaterThan(kept)
    expect(recorder.received('roof1').size).toBeLessThanOrEqual(accepted.length + behind.length)
    const warned =
      server()
        .output()
        .match(/.*redis lost the last entries that it had acknowledged.*/g) ?? []
    const reports = warned.map((line) => JSON.parse(line)).filter(({ log }) => log === 'report')
    expect(reports).toEqual([expect.objectContaining({ missing: behind.length })])
    expect(await server().stop()).toBe(0)
  },
)
