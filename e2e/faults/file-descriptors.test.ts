/** A process with a low limit of open files and more connections than that. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aScene } from './a-scene.ts'

test('I8, I10: with more connections than the limit of open files, the process keeps running, and serves when connections close', async () => {
  const scene = await aScene({ through: ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'] })
  const { ready } = scene.server()
  let hasEnded = false
  void scene.server().exited.then(() => (hasEnded = true))
  expect((await scene.submit()).status).toBe(202)

  const idle = Array.from({ length: 200 }, () => connect(scene.location.port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => {
    for (const socket of idle) socket.destroy()
  })
  await Promise.all(idle.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
  await sleep(1_000)
  for (const socket of idle) socket.destroy()

  await until(
    'it serves',
    async () => (await scene.submit({ deadlineMs: 2_000 }).catch(() => undefined))?.status === 202,
  )
  await scene.untilAllArrived()
  expect(hasEnded).toBe(false)
  expect(scene.server().ready.pid).toBe(ready.pid)
})
