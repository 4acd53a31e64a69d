/**
 * What express-openapi-validator says about a value: all that it finds, where the server stops at the first place.
 * In: a schema's name and a value as JSON text. Out: JSON Pointers to everything that is wrong; none if it is taken.
 * The value travels over HTTP to the document's own operation if one takes the schema, otherwise to one made for it.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import { at, document, entries, type Json } from './document.ts'
import { deepest } from './pointers.ts'

export interface ServerJudge {
  judge(schema: string, text: string): Promise<string[]>
  close(): Promise<void>
}

/** The document's operations by the schema of their body. Fields of a form are strings, so forms are also judged as JSON. */
const operations: Readonly<Record<string, string>> = {
  PositionReport: '/v1/position-reports',
  RelayUpdate: '/v1/devices/urn:aa:device:acme:roof1/relay',
  PairingRequestCreation: '/v1/pairing-requests',
}

const forms: Readonly<Record<string, string>> = {
  TokenRequest: '/oauth/v2/token',
  RevocationRequest: '/oauth/v2/revoke',
}

export async function createServerJudge(): Promise<ServerJudge> {
  const server = await listen()
  const { port } = addressOf(server)
  const ask = async (path: string, type: string, body: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    if (answer.status === 204) return []
    const { errors } = await answer.json()
    return deepest(entries(errors).map(([, error]) => pointerOf(error, path)))
  }
  return {
    async judge(schema, text) {
      const json = await ask(operations[schema] ?? `/schemas/${schema}`, 'application/json', text)
      const form = forms[schema]
      if (form) {
        const fields = new URLSearchParams(entries(JSON.parse(text)).map(([name, value]) => [name, String(value)]))
        const pointers = await ask(form, 'application/x-www-form-urlencoded', fields.toString())
        if (pointers.join() !== json.join()) throw new Error(`A form is judged otherwise: ${pointers}, JSON: ${json}`)
      }
      return json
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function listen(): Promise<Server> {
  const app = express()
  app.use(express.json({ strict: false, limit: '4mb' }), express.urlencoded())
  app.use(
    middleware({
      apiSpec: withSchemaOperations(),
      validateRequests: { allErrors: true },
      validateSecurity: false,
      validateApiSpec: true,
    }),
  )
  app.use((_request, response) => {
    response.status(204).end()
  })
  // Express knows an error handler by its four parameters.
  const answerErrors: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json({ errors: error.errors ?? [{ path: `not judged: ${error.message}` }] })
  }
  app.use(answerErrors)
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** The document, with one more operation per schema. */
function withSchemaOperations(): Parameters<typeof middleware>[0]['apiSpec'] {
  const copy = structuredClone(document)
  const paths = at(copy, 'paths')
  for (const [name] of entries(at(copy, 'components', 'schemas'))) {
    const schema = { $ref: `#/components/schemas/${name}` }
    const post = {
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 204: { description: 'Taken' } },
    }
    Object.assign(paths ?? {}, { [`/schemas/${name}`]: { post } })
  }
  // The validator's type of a document is that of OpenAPI 3.0.
  return copy as unknown as Parameters<typeof middleware>[0]['apiSpec']
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port')
  return address
}

/** The validator says where in the request; a wrong discriminator it only names, in the message. */
function pointerOf(error: Json, requestPath: string): string {
  const path = String(at(error, 'path'))
  if (path === requestPath) return `/${/'(\w+)'/.exec(String(at(error, 'message')))?.[1]}`
  return path.replace(/^\/body(?=\/|$)/, '')
}
