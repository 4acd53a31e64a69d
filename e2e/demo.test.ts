/** The main job: one command, a real recording on its whole way, and lines to paste that work. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { aPlace, startDemo } from './server-process.ts'

const shell = promisify(execFile)

test('the demo moves traffic, on a pipe in plain lines, and stops cleanly', async () => {
  const place = await aPlace()
  const demo = await startDemo(place)

  const line = await demo.line(/relayed +[1-9]/)
  const code = await demo.stop()
  await place.remove()

  expect(line).toMatch(/^positions\/s {2}accepted +\d+\.\d {2}processed +\d+\.\d {2}relayed +\d+\.\d {2}lag \d+ ms/)
  // Nothing for a terminal alone: no colours, no line that is written over.
  expect(demo.output()).not.toContain('\u001b')
  expect(demo.output()).not.toContain('\r')
  expect(code).toBe(0)
})

test('every line that the demo offers for pasting works', async () => {
  const place = await aPlace()
  const demo = await startDemo(place)
  await demo.line(/relayed +[1-9]/)

  const commands = demo
    .output()
    .split('\n')
    .filter((line) => line.startsWith('  curl'))
  const answers = await Promise.all(commands.map((command) => shell('bash', ['-c', command])))
  await demo.stop()
  await place.remove()

  const [devices = '', recent = '', report = ''] = answers.map(({ stdout }) => stdout)
  expect(JSON.parse(devices).data.map(({ deviceName }: { deviceName: string }) => deviceName)).toHaveLength(2)
  expect(JSON.parse(recent).data[0].positions.length).toBeGreaterThan(0)
  expect(report).toContain('HTTP/1.1 202 Accepted')
})
