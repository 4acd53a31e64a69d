import { createClient, createLogin, createSession } from '@posrep/client-sdk'

const origin = process.env.POSREP_ORIGIN ?? 'https://localhost:8443'
const login = createLogin({ authOrigin: origin, clientId: 'map-view', redirectUri: 'https://localhost:9443/callback' })

/** Send the user to `url`; keep `pending` until they come back, in sessionStorage for example. */
export const { url, pending } = await login.start()

/** To be called with the address that the user came back to. */
export async function showDevices(callbackUrl: string): Promise<void> {
  const session = createSession({ login, tokens: await login.complete(pending, callbackUrl) })
  const client = createClient({ uiOrigin: origin, session })
  for (const { deviceName, relayDetails } of (await client.listDevices()).data)
    console.log(deviceName, relayDetails?.state)
}
