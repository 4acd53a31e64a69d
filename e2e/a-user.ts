/** A client of the SDK for the user of the seed, or another one, who signed in through the pages. */
import { type Client, createClient, createLogin, createSession, type Session } from '@posrep/client-sdk'
import { mapView, pilot, redirectUri } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { type Person, signInAndApprove } from './sign-in.ts'

export async function aUser({ ready }: Pick<ServerProcess, 'ready'>): Promise<Client> {
  return createClient({ uiOrigin: ready.uiOrigin, session: await signIn({ ready }) })
}

export async function signIn({ ready }: Pick<ServerProcess, 'ready'>, person: Person = pilot): Promise<Session> {
  const { id: clientId, secret: clientSecret } = mapView
  const login = createLogin({ authOrigin: ready.authOrigin, clientId, clientSecret, redirectUri })
  const started = await login.start()
  const callback = await signInAndApprove(started, person, redirectUri)
  return createSession({ login, tokens: await login.complete(started.pending, callback) })
}
