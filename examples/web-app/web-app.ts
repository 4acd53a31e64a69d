/** A web app with a server of its own: users sign in at the service and see their devices. */
import { LoginError, SessionError } from '@posrep/client-sdk'
import cookieParser from 'cookie-parser'
import express, { type NextFunction, type Request, type Response } from 'express'
import { devicesPage, problemPage, welcomePage } from './pages.ts'
import { newVisit, visitOf } from './visits.ts'

const port = 3000
const app = express()
app.use(cookieParser())

app.get('/', async (request, response) => {
  const { posrep } = visitOf(request, response)
  if (!(await posrep.isSignedIn())) return void response.send(welcomePage())
  response.send(devicesPage((await posrep.listDevices()).data))
})

app.get('/sign-in', async (_request, response) => {
  const visit = newVisit(response)
  const { url, pending } = await visit.posrep.startSignIn()
  await visit.keepPending(pending)
  response.redirect(url)
})

app.get('/callback', async (request, response) => {
  const visit = visitOf(request, response)
  const pending = await visit.takePending()
  if (!pending) return void response.redirect('/sign-in')
  await visit.posrep.completeSignIn(pending, new URL(request.originalUrl, `http://localhost:${port}`))
  response.redirect('/')
})

app.post('/sign-out', async (request, response) => {
  await visitOf(request, response).posrep.signOut()
  response.redirect('/')
})

app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  if (error instanceof SessionError && error.code === 'login_required') return response.redirect('/')
  if (error instanceof LoginError) return response.status(400).send(problemPage(error.message))
  console.error(error)
  response.status(503).send(problemPage('The service does not answer. Try again later.'))
})

app.listen(port, 'localhost', () => console.log(`http://localhost:${port}`))
