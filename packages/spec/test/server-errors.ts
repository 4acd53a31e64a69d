/**
 * Validates a value with express-openapi-validator, which reports all errors here; the server stops at the first one.
 * In: a schema's name and a value as JSON text. Out: JSON Pointers to every error; none if the value is valid.
 * The value is sent over HTTP to the operation that has the schema as its body, or to an operation that is added for
 * the schema.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import { at, document, entries, type Json } from './document.ts'
import { deepest } from './pointers.ts'

export interface ServerValidator {
  findErrors(schema: string, text: string): Promise<string[]>
  close(): Promise<void>
}

/**
 * The document's operations by the schema of their body. Fields of a form are strings, so forms are also validated as
 * JSON.
 */
const operations: Readonly<Record<string, string>> = {
  PositionReport: '/v1/position-reports',
  RelayUpdate: '/v1/devices/urn:aa:device:acme:roof1/relay',
  PairingRequestCreation: '/v1/pairing-requests',
}

const forms: Readonly<Record<string, string>> = {
  TokenRequest: '/oauth/v2/token',
  RevocationRequest: '/oauth/v2/revoke',
}

export async function createServerValidator(): Promise<ServerValidator> {
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
    async findErrors(schema, text) {
      const json = await ask(operations[schema] ?? `/schemas/${schema}`, 'application/json', text)
      const form = forms[schema]
      if (form) {
        const fields = new URLSearchParams(entries(JSON.parse(text)).map(([name, value]) => [name, String(value)]))
        const pointers = await ask(form, 'application/x-www-form-urlencoded', fields.toString())
        if (pointers.join() !== json.join())
          throw new Error(`The form and JSON have different errors: ${pointers}, JSON: ${json}`)
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
  // Express recognises an error handler by its four parameters.
  const answerErrors: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json({ errors: error.errors ?? [{ path: `not validated: ${error.message}` }] })
  }
  app.use(answerErrors)
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** The document with an additional operation for each schema. */
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
  // The validator's type of a document is for OpenAPI 3.0.
  return copy as unknown as Parameters<typeof middleware>[0]['apiSpec']
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port')
  return address
}

/** The validator reports a path in the request; for a wrong discriminator the name is only in the message. */
function pointerOf(error: Json, requestPath: string): string {
  const path = String(at(error, 'path'))
  if (path === requestPath) return `/${/'(\w+)'/.exec(String(at(error, 'message')))?.[1]}`
  return path.replace(/^\/body(?=\/|$)/, '')
}
