/** Disk faults of the embedded database: full, read-only, locked by another process, corrupted. */
import { cp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hangsAfterMs, until } from '../../../testing/real-time.ts'
import { testWith } from '../../parts/requirements.ts'
import { aServerLocation, launchServer, type ServerLocation } from '../../parts/server-process.ts'
import { aScene } from '../a-scene.ts'
import { aSmallDisk, fill } from './small-disk.ts'

const testOnOwnDisk = testWith('mounting as root', 'a disk that is full or read-only')

testOnOwnDisk(
  'I1, I6, I10: on a full disk the answer is 503 with Retry-After, and the server recovers when there is space',
  async () => {
    const scene = await aScene({ prepare: ({ folder }) => aSmallDisk(join(folder, 'data'), 'size=12m') })
    const { submit, accepted, refused, server } = scene
    const filler = join(scene.location.folder, 'data', 'filler')

    expect((await submit()).status).toBe(202)
    await fill(filler)
    const seen = new Map<number, string | undefined>()
    while (refused.length < 3) {
      const { status, headers } = await submit({ positions: 400 })
      seen.set(status, headers['retry-after'])
      if (accepted.length > 200) throw new Error('The disk does not fill up')
    }

    expect([...seen.keys()].filter((status) => status !== 202)).toEqual([503])
    expect(seen.get(503)).toMatch(/^[1-9][0-9]*$/)
    await rm(filler)
    await until('reports are accepted again', async () => (await submit()).status === 202)
    await scene.untilAllArrived()
    expect(await server().stop()).toBe(0)
  },
)

testOnOwnDisk('I6: with a read-only data directory the server prints one line and exits with 2', async () => {
  const location = await aServerLocation()
  onTestFinished(() => location.remove())
  await aSmallDisk(join(location.folder, 'data'), 'ro')

  await expect(startedOn(location)).rejects.toThrow(refusal)
})

test('I6, I10: while another process locks the database, requests are answered 503, and none hangs', async () => {
  const { submit, location, untilAllArrived, server } = await aScene()
  const other = new DatabaseSync(join(location.folder, 'data', 'posrep.sqlite'), { timeout: hangsAfterMs })

  expect((await submit()).status).toBe(202)
  other.exec('BEGIN IMMEDIATE')
  const held = await Promise.all([submit(), submit(), submit(), submit(), submit()])
  other.exec('ROLLBACK')
  other.close()

  expect(held.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
  await until('reports are accepted again', async () => (await submit()).status === 202)
  await untilAllArrived()
  expect(await server().stop()).toBe(0)
})

describe('I10: a database that is', () => {
  const endings: (() => unknown)[] = []
  /** The data folder of a stopped server that has accepted a report. */
  let data: string

  beforeAll(async () => {
    const { location, server, submit } = await aScene({ withRelay: false, atEnd: (end) => endings.push(end) })
    data = join(location.folder, 'data')
    expect((await submit()).status).toBe(202)
    await server().stop()
  })

  afterAll(async () => {
    for (const end of endings.reverse()) await end()
  })

  test.each<[fault: string, corrupt: (file: string) => Promise<void>]>([
    ['not a database', (file) => writeFile(file, 'not a database, '.repeat(1_000))],
    ['empty', (file) => truncate(file, 0)],
    ['corrupted in its first page', (file) => overwrite(file, 100, 400)],
    ['cut in half', async (file) => truncate(file, Math.floor((await stat(file)).size / 2 / 4096) * 4096)],
  ])('%s is refused with one line and not changed', async (_fault, corrupt) => {
    const location = await aServerLocation()
    onTestFinished(() => location.remove())
    const file = join(location.folder, 'data', 'posrep.sqlite')
    await cp(data, join(location.folder, 'data'), { recursive: true })
    await corrupt(file)
    const corrupted = await readFile(file)

    await expect(startedOn(location)).rejects.toThrow(refusal)
    expect((await readFile(file)).equals(corrupted)).toBe(true)
  })
})

/** Checks that there is one line on standard error, and exit code 2. */
const refusal =
  /^posrep-server exited with 2 before it was ready:\nposrep-server: --data-dir ".*" cannot be used: .+\n$/

/** Rejects with the output of the process when it ends. */
function startedOn(location: ServerLocation): Promise<string> {
  const launched = launchServer(location)
  onTestFinished(() => launched.kill())
  return launched.ready.then(() => 'the server is ready')
}

async function overwrite(file: string, from: number, bytes: number): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(bytes, 0xa5), 0, bytes, from)
  await handle.close()
}
