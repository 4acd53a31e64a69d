/** The network between a server and its Redis: slow answers, and a partition in one direction. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { until } from '../../../testing/real-time.ts'
import type { Answer } from '../../parts/a-sensor.ts'
import { startRedis } from '../../parts/redis-process.ts'
import { testWith } from '../../parts/requirements.ts'
import { residentBytes } from '../../soak/resident-memory.ts'
import { aLink, type Direction, type Link } from '../a-link.ts'
import { aScene, type Scene } from '../a-scene.ts'

const testOnLink = testWith('redis-server', 'the network to Redis')

async function aSceneOnLink(): Promise<{ scene: Scene; link: Link }> {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const link = await aLink(Number(new URL(redis.url).port))
  onTestFinished(link.stop)
  return { scene: await aScene({ flags: ['--redis', `redis://127.0.0.1:${link.port}`] }), link }
}

testOnLink(
  'I1, I6, I8: with a Redis whose answers are 500 ms late, a flood of reports is accepted or refused, and no backlog grows',
  async () => {
    const { scene, link } = await aSceneOnLink()
    const { pid } = scene.server().ready
    expect((await scene.submit({ positions: 1_000 })).status).toBe(202)

    link.delayAnswers(500)
    const answers: Answer[] = []
    // Enough for a backlog to grow; how many of them are refused depends on the machine.
    const isOver = () => answers.length >= 200
    const senders = Array.from({ length: 50 }, async () => {
      while (!isOver()) answers.push(await scene.submit({ positions: 1_000 }))
    })
    let mostBytes = 0
    const looking = setInterval(async () => (mostBytes = Math.max(mostBytes, await residentBytes(pid))), 250)
    onTestFinished(() => clearInterval(looking))
    await Promise.all(senders)
    clearInterval(looking)
    link.delayAnswers(0)

    const refused = answers.filter(({ status }) => status !== 202)
    expect(
      refused.filter(({ status, headers }) => status !== 503 || !/^[1-9]/.test(headers['retry-after'] ?? '')),
    ).toEqual([])
    expect(mostBytes).toBeLessThan(800 * 1024 ** 2)
    await until('reports are accepted again', async () => (await scene.submit()).status === 202)
    const received = () => scene.recorder.received('roof1')
    await until('every accepted report has arrived', () => scene.accepted.every((own) => received().has(own)))
  },
)

const testPartition = testOnLink.each<[Direction, string]>([
  ['requests', 'no refused report is delivered'],
  ['answers', 'refused reports may be delivered'],
])

testPartition(
  'I1, I6, I10: while %s are blocked, every report is refused; afterwards the server recovers, and %s',
  async (direction) => {
    const { scene, link } = await aSceneOnLink()
    const origin = `https://localhost:${scene.location.port}`
    const statusOf = async (path: string, method = 'GET') => (await fetch(`${origin}${path}`, { method })).status
    for (let report = 0; report < 3; report++) expect((await scene.submit()).status).toBe(202)

    link.cut(direction)
    const answers: Answer[] = []
    for (let report = 0; report < 5; report++) answers.push(await scene.submit())
    const others = [
      await statusOf('/readyz'),
      await statusOf('/v1/pairing-tokens/consume-token?clientUniqueId=roof2', 'POST'),
    ]
    // Every blocked request has ended after this time.
    await sleep(2_500)
    link.repair()
    await until('reports are accepted again', async () => (await scene.submit()).status === 202)

    expect([...answers.map(({ status }) => status), ...others]).toEqual(Array.from({ length: 7 }, () => 503))
    // Entries whose lease was in a lost answer wait until the lease expires.
    await scene.untilAllArrived()
    const received = scene.recorder.received('roof1')
    if (direction === 'requests') expect(scene.refused.filter((own) => received.has(own))).toEqual([])
  },
)
