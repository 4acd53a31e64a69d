/**
 * Repeats requests to a relay whose certificate is refused, and checks that memory does not grow.
 * In: the number of requests. Out: true when the suite's test passes with this number.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function soakCertificates(certificates: number): Promise<boolean> {
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'server',
    'test/relays/sender/certificates.test.ts',
  ]
  const child = spawn(process.execPath, [...vitest, '-t', 'refused certificates leak'], {
    stdio: 'inherit',
    env: { ...process.env, SOAK_CERTIFICATES: String(certificates) },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return code === 0
}
