/** Wrappers that make a request of an event: each with a captured event of each kind, played in process. */
import type { PositionReport } from '@posrep/spec'
import express from 'express'
import express4 from 'express-4'
import { handle } from 'hono/aws-lambda'
import serverless from 'serverless-http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { relayReceiver as expressReceiver } from '../../src/adapters/express.ts'
import { type ReceiverOptions, relayReceiver } from '../../src/index.ts'
import { createTestSender, type TestMessage, toRequest } from '../../src/testing/testing.ts'
import { aReport, validationCode } from '../builders.ts'
import { honoApp } from '../recipes/hono.ts'
import { path } from './an-adapter.ts'

const sender = await createTestSender({ device: 'urn:aa:device:demo:roof1' })
const trust = { from: sender.keys, devices: [sender.device] }

interface Answer {
  statusCode: number
  body?: string
}

type Handler = (event: never, context: never) => Promise<unknown>

/** The members that the wrappers read. */
const events: Record<string, (message: TestMessage, body: string, isBase64Encoded: boolean) => object> = {
  'API Gateway v2': (message, body, isBase64Encoded) => ({
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: {
      ...message.headers,
      host: 'x.lambda-url.eu-north-1.on.aws',
      'content-length': String(Buffer.byteLength(message.body)),
    },
    requestContext: { http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1' }, stage: '$default' },
    body,
    isBase64Encoded,
  }),
  'API Gateway v1': ({ headers }, body, isBase64Encoded) => ({
    resource: '/{proxy+}',
    path,
    httpMethod: 'POST',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalised(name), value])),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalised(name), [value]])),
    queryStringParameters: null,
    requestContext: { path, httpMethod: 'POST', identity: { sourceIp: '192.0.2.1' }, stage: 'prod' },
    body,
    isBase64Encoded,
  }),
  ALB: ({ headers }, body, isBase64Encoded) => ({
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-north-1:0:targetgroup/relay/0' } },
    httpMethod: 'POST',
    path,
    queryStringParameters: {},
    headers: { ...headers, host: 'relay.example.net' },
    body,
    isBase64Encoded,
  }),
}

const wrappers: Record<string, (options: ReceiverOptions) => Handler> = {
  'serverless-http with Express 5': (options) => serverless(express().use(path, expressReceiver(options))),
  'serverless-http with Express 4': (options) => serverless(express4().use(path, expressReceiver(options))),
  'serverless-http with Express after express.json() that keeps the bytes': (options) =>
    serverless(
      express()
        .use(express.json({ verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }) }))
        .use(path, expressReceiver(options)),
    ),
  'hono/aws-lambda': (options) => handle(honoApp(path, relayReceiver(options))) as Handler,
}

for (const [wrapper, wrap] of Object.entries(wrappers)) {
  for (const [kind, toEvent] of Object.entries(events)) {
    test.each([false, true])(
      `${wrapper} gets a validation and a report out of an event of ${kind}, base64: %s`,
      async (isBase64Encoded) => {
        const received: PositionReport[] = []
        const handler = wrap({ onReport: (report) => void received.push(report), ...trust })
        const report = aReport({ sensor: { id: 'roof1', additionalInfo: { text: 'ä€😀' } } })
        const send = async (message: TestMessage): Promise<Answer> => {
          const body = isBase64Encoded ? Buffer.from(message.body).toString('base64') : message.body
          return (await handler(toEvent(message, body, isBase64Encoded) as never, {} as never)) as Answer
        }

        const validated = await send(await sender.validation(validationCode))
        expect([validated.statusCode, validated.body]).toEqual([200, validationCode])
        expect((await send(await sender.report(report))).statusCode).toBe(204)
        expect(received).toEqual([report])
        expect((await send(sender.altered(await sender.report()))).statusCode).toBe(401)
      },
    )
  }
}

test('each recipe for a serverless host answers the message that its host gives', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  // The recipes have the service of the quick start as issuer.
  const issuer = 'https://localhost:8443'
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('fetch', async ({ url }: Request) =>
    Response.json(url === `${issuer}/jwks` ? sender.keys : { issuer, jwks_uri: `${issuer}/jwks` }),
  )
  const [functionUrl, withExpress, withHono] = [
    await import('../lambda/function-url.ts'),
    await import('../lambda/express.ts'),
    await import('../lambda/hono.ts'),
  ]
  const [workers, next] = [await import('../recipes/runtime.ts'), await import('../recipes/next-route.ts')]
  const path = '/position-reports'

  for (const { handler } of [functionUrl, withExpress, withHono]) {
    const message = await sender.report()
    const event = events['API Gateway v2']?.(message, Buffer.from(message.body).toString('base64'), true)
    const answer = await handler(toPath(event, path) as never, {} as never)
    expect((answer as Answer).statusCode).toBe(204)
  }
  expect((await workers.default.fetch(toRequest(await sender.report()))).status).toBe(204)
  expect((await next.POST(toRequest(await sender.report()))).status).toBe(204)
})

function toPath(event: object | undefined, rawPath: string): object {
  return { ...event, rawPath, requestContext: { http: { method: 'POST', path: rawPath } } }
}

function capitalised(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
