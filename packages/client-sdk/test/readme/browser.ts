import { createClient, createLogin, createSession, webTokenStore } from '@posrep/client-sdk'

const login = createLogin({
  authOrigin: 'https://localhost:8443',
  clientId: 'map-view',
  redirectUri: `${location.origin}/callback`,
})

export const session = createSession({
  login,
  tokenStore: webTokenStore(),
  onSignedOut: () => location.assign('/'),
})

export const client = createClient({ uiOrigin: 'https://localhost:8443', session })

export async function signIn(): Promise<void> {
  const { url, pending } = await login.start()
  sessionStorage.setItem('pending', JSON.stringify(pending))
  location.assign(url)
}

/** Call this on the page at the redirect URI. */
export async function finishSignIn(): Promise<void> {
  const pending = JSON.parse(sessionStorage.getItem('pending') ?? '{}')
  sessionStorage.removeItem('pending')
  await session.signIn(await login.complete(pending, location.href))
}
