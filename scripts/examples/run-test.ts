/**
 * Runs `npm test` in a folder. In: the folder, more environment variables. Out: whether it exited with 0, and what it
 * printed.
 */
import { spawn } from 'node:child_process'

/** Longer than any example takes on a slow machine. */
const timeoutMs = 180_000

export function runTest(
  folder: string,
  environment: Record<string, string>,
): Promise<{ isOk: boolean; output: string }> {
  const child = spawn('npm', ['test', '--silent'], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that what it started ends with it.
    detached: true,
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const timer = setTimeout(() => {
    output += `It did not end within ${timeoutMs / 1000} s\n`
    killGroup(child.pid)
  }, timeoutMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => killGroup(child.pid))
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ isOk: code === 0, output })
    })
  })
}

function killGroup(pid?: number): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Every process of the group has ended.
  }
}
