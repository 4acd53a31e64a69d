import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning } from '../src/is-running.ts'

test('a process runs until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  expect(isRunning(child.pid ?? 0)).toBe(true)

  child.kill('SIGKILL')
  await once(child, 'exit')

  expect(isRunning(child.pid ?? 0)).toBe(false)
})

test.skipIf(process.platform !== 'linux')(
  'a process that was killed and that its parent has not noticed does not run',
  async () => {
    // The shell replaces itself with a program that does not wait for children.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [text] = await once(parent.stdout.setEncoding('utf8'), 'data')
    const pid = Number(text)
    expect(isRunning(pid)).toBe(true)

    process.kill(pid, 'SIGKILL')
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve))

    // The system still knows it.
    expect(process.kill(pid, 0)).toBe(true)
  },
)
