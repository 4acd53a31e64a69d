/** The one Posrep of this app. Tabs share its session, and a reload keeps it. */
import { createPosrep, webTokenStore } from '@posrep/client-sdk'

export const posrep = createPosrep({
  origin: import.meta.env.POSREP_ORIGIN ?? 'https://localhost:8443',
  clientId: import.meta.env.POSREP_CLIENT_ID ?? 'demo-browser-app',
  redirectUri: `${location.origin}/`,
  tokenStore: webTokenStore(),
  // Here or in another tab: the page starts again, signed out.
  onSignedOut: () => location.reload(),
})
