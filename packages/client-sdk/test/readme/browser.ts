import { createPosrep, webTokenStore } from '@posrep/client-sdk'

const posrep = createPosrep({
  origin: 'https://localhost:8443',
  clientId: 'map-view',
  redirectUri: `${location.origin}/callback`,
  tokenStore: webTokenStore(),
})
try {
  if (!(await posrep.handleCallback())) await posrep.signIn({ returnTo: location.href })
  for (const { deviceName } of (await posrep.listDevices()).data) console.log(deviceName)
} catch (error) {
  document.body.textContent = error instanceof Error ? error.message : String(error)
}
