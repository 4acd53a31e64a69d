import { ApiError, createIdentity, resolveSettings } from '@posrep/server'
import express from 'express'

const settings = resolveSettings({ flags: { memory: true, 'auth-origin': 'https://id.example.com' }, environment: {} })
const identity = await createIdentity({ settings })

const app = express().use(identity.router) // other paths are yours
app.get('/whoami', async (request, response) => {
  const token = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
  try {
    response.json(await identity.verifyAccessToken(token, 'user'))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    response.status(error.code === 'invalid_token' ? 401 : 503).json({ code: error.code })
  }
})
export const listener = app.listen(Number(process.env.PORT ?? 8080)) // behind a proxy that terminates TLS
listener.once('close', () => identity.close())
