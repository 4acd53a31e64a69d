/** Only Express with express-openapi-validator and the Posrep document: it checks no token and stores nothing. */
import { createServer } from 'node:http'
import document from '@posrep/spec/openapi.json' with { type: 'json' }
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import { tellReady } from './tell-ready.ts'

const app = express()
app.disable('x-powered-by')
app.use(express.json({ limit: 1024 * 1024 }))
const validators = middleware({
  // The imported type of the document is too specific for the validator.
  apiSpec: document as unknown as Parameters<typeof middleware>[0]['apiSpec'],
  validateApiSpec: false,
  validateSecurity: false,
  fileUploader: false,
})
// The validator's handlers are Express handlers, typed for another version of Express.
app.use(...(validators as RequestHandler[]))
app.post('/v1/position-reports', (_request, response) => {
  response.status(202).end()
})
const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message })
}
app.use(refuse)
const server = createServer(app)
server.listen(0, '127.0.0.1', () => tellReady(server))
