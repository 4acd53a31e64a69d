/**
 * The portal: the web pages where users manage devices, pairing and relays (specification, "Surveillance out").
 * In: the API's operations, storage. Out: a router of pages. The portal is an ordinary OAuth client: the user approves it,
 * and it calls the API's operations as that user.
 */
import type { Router } from 'express'
import type { Handlers } from '../http/operation/operation.ts'
import type { Sealer } from '../identity/keys/sealer.ts'
import { createTransactions } from '../identity/people/sign-in-transaction.ts'
import { redirectAnswer } from '../pages/answer.ts'
import { toText } from '../pages/form-fields.ts'
import type { Clock } from '../ports/clock.ts'
import type { VerifyAccessToken } from '../ports/principal.ts'
import type { Directory } from '../ports/storage/directory.ts'
import type { Store } from '../ports/storage/store.ts'
import { isSameSecret } from '../secrets.ts'
import { createDeliveryPages } from './deliveries/delivery-pages.ts'
import { createDevicePages } from './devices/device-pages.ts'
import { outdatedFormPage } from './layout/error.tsx'
import { signedOutPath } from './layout/paths.ts'
import { createLiveUpdates } from './live-updates.ts'
import { createPairingPages } from './pairing/pairing-pages.ts'
import { createPortalRouter } from './router.ts'
import { createSensorPages } from './sensors/sensor-pages.ts'
import { createPortalSessions } from './visit/session.ts'
import { createPortalSignIn, type PendingSignIn } from './visit/sign-in.ts'
import { createTokenClient } from './visit/token-client.ts'
import { createVisits } from './visit/visit.ts'

export interface PortalOptions {
  store: Store
  directory: Directory
  clock: Clock
  sealer: Sealer
  handlers: Handlers
  verifyAccessToken: VerifyAccessToken
  origins: { auth: string; ui: string }
  authorizationEndpoint: string
  /** The account page of the identity provider: password, sessions, approved applications. */
  accountUrl: string
}

export function createPortal(options: PortalOptions): Router {
  const { store, directory, clock, sealer, handlers, verifyAccessToken, origins, authorizationEndpoint, accountUrl } =
    options
  const tokens = createTokenClient({ handlers, verifyAccessToken, clock })
  const sessions = createPortalSessions({ store, clock, tokens })
  const { auth: issuer, ui: uiOrigin } = origins
  const transactions = createTransactions<PendingSignIn>({ sealer, clock, name: 'portal-sign-in' })
  const signIn = createPortalSignIn({ transactions, sessions, tokens, authorizationEndpoint, issuer, uiOrigin })
  const visits = createVisits({ sessions, signIn, directory, handlers, clock, accountUrl })

  return createPortalRouter({
    devices: createDevicePages({ visits }),
    deliveries: createDeliveryPages({ visits }),
    pairing: createPairingPages({ visits, uiOrigin }),
    sensors: createSensorPages({ visits }),
    signIn,
    async signOut(visitor, fields) {
      const visit = await visits.find(visitor)
      if (!visit) return redirectAnswer(303, signedOutPath)
      if (!isSameSecret(toText(fields.form_token), visit.viewer.toToken('sign-out'))) return outdatedFormPage()
      return redirectAnswer(303, signedOutPath, await sessions.end(visit.session))
    },
    live: createLiveUpdates({ visits, clock }),
    accountUrl,
  })
}
