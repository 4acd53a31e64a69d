import { expect, test, vi } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer, silentLogger } from '../a-server.ts'

/** Ends the thread of the air picture at its start, and leaves the process that checks it first alone. */
const endingTerrain = `import { workerData } from 'node:worker_threads'
  if (workerData?.atWork) throw new Error('no terrain')
  export default () => 0`

test('a stop does not wait until an air picture whose thread has ended is started again', async () => {
  const ended = vi.fn()
  const logger = { ...silentLogger, error: (_fields: object, message: string) => void ended(message) }
  const terrain = new URL(`data:text/javascript,${encodeURIComponent(endingTerrain)}`)
  const server = await aServer({ terrain, logger: logger as never })
  await server.post('/v1/position-reports', await server.deviceToken(), aReport())
  // After the second end the pause of the thread is longer than the worker's.
  await vi.waitFor(async () => {
    await server.clock.advance(50)
    expect(ended).toHaveBeenCalledTimes(2)
  })
  await server.clock.advance(1_000)

  await server.stop()

  expect(ended.mock.calls.flat()).toEqual([
    expect.stringContaining('it is started again in 1 s'),
    expect.stringContaining('it is started again in 2 s'),
  ])
})
