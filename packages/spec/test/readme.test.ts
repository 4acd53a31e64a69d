import { readdir, readFile } from 'node:fs/promises'
import { getResponse, HttpHandler } from 'msw'
import { expect, test, vi } from 'vitest'

test('the README shows exactly the examples that are compiled here, and is under 150 lines', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const folder = new URL('readme/', import.meta.url)
  const examples = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')))

  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)

  expect(blocks.toSorted()).toEqual(examples.toSorted())
  expect(readme.split('\n').length).toBeLessThan(150)
})

test('the first example prints the path of the wrong value', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})

  await import('./readme/validate.ts')

  expect(log.mock.calls.map(([path]) => path)).toEqual(['positions/0/position/lon'])
})

test('the mock service answers reports with 503 and other requests with the examples', async () => {
  const { service } = await import('./readme/handlers.ts')
  const handlers = service.listHandlers().filter((handler) => handler instanceof HttpHandler)
  const ask = async (path: string, method: string) =>
    (await getResponse(handlers, new Request(`https://localhost:8443${path}`, { method })))?.status

  expect(await ask('/v1/position-reports', 'POST')).toBe(503)
  expect(await ask('/v1/devices', 'GET')).toBe(200)
})

test('the other examples return the documented values', async () => {
  const { anyReport } = await import('./readme/fakes.ts')
  const { listDevices, title } = await import('./readme/operations.ts')

  expect(anyReport.positions.length).toBeGreaterThan(0)
  expect(await (await listDevices({ query: { limit: 3 } })).json()).toEqual({ data: [], limit: 3 })
  expect(title).toBe('Posrep')
})
