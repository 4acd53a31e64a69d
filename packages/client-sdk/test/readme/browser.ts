import { createPosrep, webTokenStore } from '@posrep/client-sdk'

const posrep = createPosrep({
  origin: 'https://localhost:8443',
  clientId: 'map-view',
  redirectUri: `${location.origin}/callback`,
  tokenStore: webTokenStore(),
})
if (!(await posrep.handleCallback())) await posrep.signIn()
for (const { deviceName } of (await posrep.listDevices()).data) console.log(deviceName)
