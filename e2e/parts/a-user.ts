/** A client of the SDK for a user of the seed, who signed in through the pages. */
import { type Client, createClient, createLogin, createSession, type Session } from '@posrep/client-sdk'
import { mapView, pilot, redirectUri } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { signInAndApprove } from './sign-in.ts'

export async function aUser({ ready }: Pick<ServerProcess, 'ready'>, person = pilot): Promise<Client> {
  const { authOrigin, ingestOrigin, uiOrigin } = ready
  return createClient({ authOrigin, ingestOrigin, uiOrigin, session: await signIn({ ready }, person) })
}

export async function signIn({ ready }: Pick<ServerProcess, 'ready'>, person = pilot): Promise<Session> {
  const { id: clientId, secret: clientSecret } = mapView
  const login = createLogin({ authOrigin: ready.authOrigin, clientId, clientSecret, redirectUri })
  const started = await login.start()
  const callback = await signInAndApprove(started, person, redirectUri)
  return createSession({ login, tokens: await login.complete(started.pending, callback) })
}
