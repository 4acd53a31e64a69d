import { createClient, createLogin, createSession } from '@posrep/client-sdk'

const origin = process.env.POSREP_ORIGIN ?? 'https://localhost:8443'
const login = createLogin({ authOrigin: origin, clientId: 'map-view', redirectUri: 'https://localhost:9443/callback' })

/** Send the user to `url`, and store `pending` until the callback, for example in sessionStorage. */
export const { url, pending } = await login.start()

/** Call this with the URL of the callback. */
export async function showDevices(callbackUrl: string): Promise<void> {
  const session = createSession({ login, tokens: await login.complete(pending, callbackUrl) })
  const client = createClient({ uiOrigin: origin, session })
  for (const { deviceName, relayDetails } of (await client.listDevices()).data)
    console.log(deviceName, relayDetails?.state)
}
