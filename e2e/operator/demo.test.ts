/** The demo: one command that plays a recording from the sensor to the relay, and prints commands that work. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { aServerLocation, startDemo } from '../parts/server-process.ts'

const shell = promisify(execFile)

test('the demo relays traffic, prints plain lines on a pipe, and stops cleanly', async () => {
  const location = await aServerLocation()
  const demo = await startDemo(location)

  const line = await demo.line(/relayed +[1-9]/)
  const code = await demo.stop()
  await location.remove()

  expect(line).toMatch(/^positions\/s {2}accepted +\d+\.\d {2}processed +\d+\.\d {2}relayed +\d+\.\d {2}lag \d+ ms/)
  // No terminal output: no colours, and no line that is overwritten.
  expect(demo.output()).not.toContain('\u001b')
  expect(demo.output()).not.toContain('\r')
  expect(code).toBe(0)
})

test('every command that the demo prints works', async () => {
  const location = await aServerLocation()
  const demo = await startDemo(location)
  await demo.line(/relayed +[1-9]/)

  // The lines after a command that belong to it are indented further.
  const commands = [...demo.output().matchAll(/^ {2}curl .*\n(?: {4,}.*\n)*/gm)].map(([command]) => command)
  const answers = await Promise.all(commands.map((command) => shell('bash', ['-c', command])))
  await demo.stop()
  await location.remove()

  const [devices = '', recent = '', report = ''] = answers.map(({ stdout }) => stdout)
  expect(JSON.parse(devices).data.map(({ deviceName }: { deviceName: string }) => deviceName)).toHaveLength(5)
  expect(JSON.parse(recent).data[0].positions.length).toBeGreaterThan(0)
  expect(report).toContain('HTTP/1.1 202 Accepted')
  // Paths of the data folder count as the ones that `start` has.
  const lines = commands.join('').replaceAll(location.folder, '').split('\n')
  expect(lines.filter((line) => line.length > 100)).toEqual([])
})
