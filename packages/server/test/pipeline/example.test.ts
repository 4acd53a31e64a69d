import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'

test('the guide to the pipeline contains the example that is compiled here', async () => {
  const guide = await readFile(new URL('../../../../docs/pipeline.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('example/geofence.ts', import.meta.url), 'utf8')
  expect([...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code)).toEqual([example])
})

test("the guide's example starts a server with its stage and stops it", async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  const { server } = await import('./example/geofence.ts')
  expect(server.port).toBeGreaterThan(0)
  await server.stop()
})
