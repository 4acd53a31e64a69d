import { createPosrep } from '@posrep/client-sdk'

const { POSREP_ORIGIN: origin = 'https://localhost:8443', POSREP_SECRET: clientSecret } = process.env
const redirectUri = 'https://localhost:9443/callback'
const posrep = createPosrep({ origin, clientId: 'map-view', clientSecret, redirectUri })
export const { url, pending } = await posrep.startSignIn() // send the user to `url`
export async function onCallback(callbackUrl: string): Promise<void> {
  await posrep.completeSignIn(pending, callbackUrl)
  for (const { deviceName } of (await posrep.listDevices()).data) console.log(deviceName)
}
