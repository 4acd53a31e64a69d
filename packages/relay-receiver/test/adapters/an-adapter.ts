/**
 * Every adapter and recipe as a request listener of node:http, with each body parser before it, for the tests of all of
 * them.
 */
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { bodyParser } from '@koa/bodyparser'
import express from 'express'
import express4 from 'express-4'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { relayReceiver as expressReceiver } from '../../src/adapters/express.ts'
import { relayReceiver as nodeReceiver } from '../../src/adapters/node.ts'
import { type ReceiverOptions, relayReceiver } from '../../src/index.ts'
import { mountInFastify } from '../recipes/fastify.ts'
import { honoApp } from '../recipes/hono.ts'
import { koaReceiver } from '../recipes/koa.ts'

type Adapter = (options: ReceiverOptions) => RequestListener | Promise<RequestListener>

export const path = '/relay'

/** Where the receiver can read the body. */
export const working: Record<string, Adapter> = {
  'node:http': nodeReceiver,
  'node:http after code that kept the bytes in rawBody': (options) => {
    const receiver = nodeReceiver(options)
    return async (request, response) => {
      const rawBody = Buffer.concat(await request.toArray())
      await receiver(Object.assign(request, { rawBody }), response)
    }
  },
  Express: (options) => express().use(path, expressReceiver(options)),
  'Express before express.json()': (options) => express().use(path, expressReceiver(options)).use(express.json()),
  'Express after express.json() that keeps the bytes': (options) =>
    express()
      .use(express.json({ verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }) }))
      .use(path, expressReceiver(options)),
  'Express after express.raw()': (options) => afterParser(express.raw(), options),
  'Express after express.raw() of any type': (options) => afterParser(express.raw({ type: '*/*' }), options),
  'Express after express.text()': (options) => afterParser(express.text(), options),
  'Express after express.text() of any type': (options) => afterParser(express.text({ type: '*/*' }), options),
  'Express after express.urlencoded()': (options) => afterParser(express.urlencoded(), options),
  'Express after code that called setEncoding()': (options) =>
    express()
      .use((request, _response, next) => next(void request.setEncoding('utf8')))
      .use(path, expressReceiver(options)),
  'node:http after setEncoding() with another encoding': (options) => {
    const receiver = nodeReceiver(options)
    return (request, response) => receiver(request.setEncoding('base64'), response)
  },
  'Express 4': (options) => express4().use(path, expressReceiver(options)).use(express4.json()),
  'Express 4 after express.json() that keeps the bytes': (options) =>
    express4()
      .use(express4.json({ verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }) }))
      .use(path, expressReceiver(options)),
  Fastify: async (options) => {
    const app = fastify()
    mountInFastify(app, path, nodeReceiver(options))
    await app.ready()
    return (request, response) => app.routing(request, response)
  },
  Koa: (options) => new Koa().use(koaReceiver(path, nodeReceiver(options))).callback(),
  'Koa before @koa/bodyparser': (options) =>
    new Koa()
      .use(koaReceiver(path, nodeReceiver(options)))
      .use(bodyParser())
      .callback(),
  'Koa after @koa/bodyparser': (options) =>
    new Koa()
      .use(bodyParser())
      .use(koaReceiver(path, nodeReceiver(options)))
      .callback(),
  Hono: (options) => getRequestListener(honoApp(path, relayReceiver(options)).fetch),
}

/** Where other code has read the body and kept nothing that the signature covers. */
export const consumed: Record<string, Adapter> = {
  'node:http after code that read the body': (options) => {
    const receiver = nodeReceiver(options)
    return (request, response) => void request.resume().on('end', () => receiver(request, response))
  },
  'node:http after setEncoding() with an encoding that drops bits': (options) => {
    const receiver = nodeReceiver(options)
    return (request, response) => receiver(request.setEncoding('ascii'), response)
  },
  'Express 4 after express.json()': (options) => express4().use(express4.json()).use(path, expressReceiver(options)),
  'Express after express.json()': (options) => afterParser(express.json(), options),
  'Express after express.json() of any type': (options) => afterParser(express.json({ type: '*/*' }), options),
  'Fastify with its own parsers': async (options) => {
    const receiver = nodeReceiver(options)
    const app = fastify()
    app.post(path, async (request, reply) => {
      reply.hijack()
      await receiver(request.raw, reply.raw)
    })
    await app.ready()
    return (request, response) => app.routing(request, response)
  },
  'Koa after a parser that keeps nothing': (options) => {
    const receiver = nodeReceiver(options)
    return new Koa()
      .use(bodyParser())
      .use((context) => {
        context.respond = false
        return receiver(context.req, context.res)
      })
      .callback()
  },
  'Hono after c.req.json()': (options) => {
    const receiver = relayReceiver(options)
    const app = new Hono().post(path, async (context) => {
      await context.req.json()
      return receiver.fetch(context.req.raw)
    })
    return getRequestListener(app.fetch)
  },
}

function afterParser(parser: express.RequestHandler, options: ReceiverOptions): RequestListener {
  return express().use(parser).use(path, expressReceiver(options))
}
