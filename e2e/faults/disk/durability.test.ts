/** A report is on the disk before its 202, as seen in the system calls. */
import { expect } from 'vitest'
import { until } from '../../../testing/real-time.ts'
import { testWith } from '../../parts/requirements.ts'
import { aScene } from '../a-scene.ts'
import { trace } from './system-calls.ts'

const testTraced = testWith('strace', 'the order of system calls')

testTraced('I1: the report is written and synced to the disk before the 202 is written', async () => {
  const scene = await aScene({ flags: ['--insecure-http'], withRelay: false })
  const reports = 20

  const tracing = await trace(
    scene.server().ready.pid,
    '-y',
    '-s',
    '20000',
    '-e',
    'trace=pwrite64,fdatasync,fsync,write,writev',
  )
  // A traced server on a busy machine is slow and may refuse a report. The end of the last report may be missing in the
  // trace.
  while (scene.accepted.length <= reports) await scene.submit()
  const lines = await tracing.lines()

  for (const report of scene.accepted.slice(0, reports)) {
    const written = lines.findIndex((line) => isWrite(line) && new RegExp(`roof1:${report}\\\\?"`).test(line))
    const synchronised = lines.findIndex(
      (line, index) => index > written && isSynchronised(line, lines.slice(written, index)),
    )
    const answered = lines.findIndex((line, index) => index > written && /writev?\(.*HTTP\/1\.1 202/.test(line))
    expect(written, `report ${report} is written`).toBeGreaterThan(-1)
    const between = lines.slice(written, Math.max(synchronised, answered) + 1).map((line) => line.slice(0, 100))
    expect(synchronised, `report ${report} is synchronised:\n${between.join('\n')}`).toBeGreaterThan(written)
    expect(answered, `report ${report} is answered after that:\n${between.join('\n')}`).toBeGreaterThan(synchronised)
  }
})

testTraced(
  'I1, I10: when a sync to the disk fails, no more reports are accepted, the process ends, and a restart has every accepted report',
  async () => {
    const scene = await aScene()
    for (let report = 0; report < 5; report++) expect((await scene.submit()).status).toBe(202)

    await trace(scene.server().ready.pid, '-e', 'trace=fdatasync,fsync', '-e', 'inject=fdatasync,fsync:error=EIO')
    const answer = await scene.submit({ deadlineMs: 5_000 }).catch((error: Error) => error)
    const code = await scene.server().exited

    // No answer is also correct: it is not a 202.
    if (!(answer instanceof Error)) expect(answer.status).toBe(503)
    expect(code).toBeGreaterThan(0)
    await scene.startAgain()
    await until('reports are accepted again', async () => (await scene.submit()).status === 202)
    await scene.untilAllArrived()
  },
)

function isWrite(line: string): boolean {
  return /pwrite64\(\d+<[^>]*posrep\.sqlite-wal>/.test(line)
}

/** Whether the sync has returned; strace may split its line when another thread makes a call. */
function isSynchronised(line: string, before: string[]): boolean {
  if (/f(?:data)?sync\(\d+<[^>]*posrep\.sqlite-wal>\)\s*= 0/.test(line)) return true
  const [, thread] = /^(\d+) <\.\.\. f(?:data)?sync resumed>\)?\s*= 0/.exec(line) ?? []
  return (
    thread !== undefined &&
    before.some((start) => start.startsWith(`${thread} `) && /f(?:data)?sync\(\d+<[^>]*posrep\.sqlite-wal/.test(start))
  )
}
