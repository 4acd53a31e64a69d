import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { createMswHandlers } from '../src/msw.ts'
import { at, document, entries } from './document.ts'

const handlers = [...createMswHandlers().all()]

const operations = entries(at(document, 'paths')).flatMap(([path, item]) =>
  entries(item).flatMap(([method, operation]) => {
    const [status] = entries(at(operation, 'responses')).find(([one]) => one.startsWith('2')) ?? []
    return status === undefined ? [] : [{ method: method.toUpperCase(), path, status: Number(status) }]
  }),
)

test.each(operations)('$method $path is answered with $status by default', async ({ method, path, status }) => {
  const url = `https://localhost:8443${path.replaceAll(/\{\w+\}/g, 'urn%3Aaa%3Adevice%3Aacme%3Aroof1')}`

  const response = await getResponse(handlers, new Request(url, { method }))

  expect(response?.status).toBe(status)
})

test('a submitted report is answered with an empty body', async () => {
  const request = new Request('https://localhost:8443/v1/position-reports', { method: 'POST', body: '{}' })

  const response = await getResponse(handlers, request)

  expect(await response?.text()).toBe('')
})

test('a handler answers with the response that a test passes', async () => {
  const { pick } = createMswHandlers()
  const busy = pick.submitPositionReport(() => new Response(null, { status: 503, headers: { 'retry-after': '1' } }))
  const request = new Request('https://localhost:8443/v1/position-reports', { method: 'POST', body: '{}' })

  const response = await getResponse([busy], request)

  expect(response?.status).toBe(503)
})
