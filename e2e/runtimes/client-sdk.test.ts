/** The client SDK runs on every run-time that it supports: the same plain program passes, on the built package. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@posrep/client-sdk/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { runtimes, spawnOn, testOn } from './runtimes.ts'

const program = fileURLToPath(new URL('client-sdk.mjs', import.meta.url))

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

for (const runtime of runtimes) {
  testOn(runtime)(`an app signs in, refreshes and signs out on ${runtime}`, async () => {
    const env = { POSREP: JSON.stringify(server.options), DEVICE: server.deviceUrns[0] ?? '' }
    const app = spawnOn(runtime, program, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    const exited = once(app, 'exit')
    let errors = ''
    app.stderr?.on('data', (chunk) => (errors += chunk))
    const lines: string[] = []
    for await (const line of createInterface({ input: app.stdout ?? process.stdin })) {
      lines.push(line)
      if (line.startsWith('http://')) app.stdin?.end(`${await server.signIn(line)}\n`)
    }

    expect(errors).toBe('')
    expect(lines.at(-1)).toBe('ok')
    expect((await exited)[0]).toBe(0)
  })
}
