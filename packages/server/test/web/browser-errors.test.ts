import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createAnswerError, errorHandler } from '../../src/http/errors/error-handler.ts'
import { answerBrowsers } from '../../src/web/browser-errors.tsx'

/** A server on which every request fails in an unexpected way. */
async function aFailingServer() {
  const logged: unknown[] = []
  const quiet = { debug() {}, info() {}, warn() {} }
  const answerError = createAnswerError({
    logger: { ...quiet, error: (fields: object) => void logged.push(fields) },
    errorAnswers: {},
  })
  const app = express()
  app.use((_request, response) => {
    response.set('X-Request-Id', 'request-1')
    throw new Error('private detail')
  })
  app.use(answerBrowsers('https://portal.example', answerError), errorHandler(answerError))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { logged, get: (accept: string) => fetch(`http://127.0.0.1:${port}/`, { headers: { accept } }) }
}

test('a browser gets a page for an unexpected error, with the navigation and the ID of the request; the log has the error', async () => {
  const { logged, get } = await aFailingServer()

  const answer = await get('text/html,*/*;q=0.8')

  const html = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
  expect(html).toContain('send the operator this ID of the request: request-1')
  expect(html).toContain('href="https://portal.example/docs"')
  expect(html).not.toContain('private detail')
  expect(logged).toEqual([{ err: new Error('private detail'), requestId: 'request-1' }])
})

test('a program gets a problem for an unexpected error, which is logged once', async () => {
  const { logged, get } = await aFailingServer()
  const answer = await get('*/*')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'application/problem+json; charset=utf-8'])
  expect(logged).toHaveLength(1)
})
