/**
 * The portal: the web pages where users manage devices, pairing and relays (specification, "Surveillance out").
 * In: the API's operations, storage. Out: a router of pages. The portal is an ordinary OAuth client: the user approves it,
 * and it calls the API's operations as that user.
 */
import type { Router } from 'express'
import type { Handlers } from '../http/operation/operation.ts'
import type { Sealer } from '../identity/keys/sealer.ts'
import { createTransactions } from '../identity/people/sign-in-transaction.ts'
import type { SignOutTickets } from '../identity/people/sign-out-ticket.ts'
import { redirectAnswer } from '../pages/answer.ts'
import type { Clock } from '../ports/clock.ts'
import type { VerifyAccessToken } from '../ports/principal.ts'
import type { Directory } from '../ports/storage/directory.ts'
import type { Store } from '../ports/storage/store.ts'
import type { OwnMap } from './air/air-map.tsx'
import { createAirPages } from './air/air-pages.ts'
import { createDeliveryPages } from './deliveries/delivery-pages.ts'
import { createDevicePages } from './device/device-pages.ts'
import type { Mend } from './device/recent-positions.ts'
import { createDeviceListPages } from './devices/device-list-pages.ts'
import { outdatedFormPage, signedOutPage } from './layout/error.tsx'
import { signedOutPath } from './layout/paths.ts'
import { createLiveUpdates } from './live-updates.ts'
import { createOverviewPages } from './overview/overview-pages.ts'
import { createPairingPages } from './pairing/pairing-pages.ts'
import { createPortalRouter } from './router.ts'
import { createSensorPages } from './sensors/sensor-pages.ts'
import { createFlashes } from './visit/flash.ts'
import { createPortalSessions } from './visit/session.ts'
import { createPortalSignIn, type PendingSignIn } from './visit/sign-in.ts'
import { createTokenClient } from './visit/token-client.ts'
import { createVisits, isOurs } from './visit/visit.ts'

export interface PortalOptions {
  store: Store
  directory: Directory
  clock: Clock
  sealer: Sealer
  handlers: Handlers
  /** Corrects a report as submitted, for the pages that show it. */
  mend: Mend
  verifyAccessToken: VerifyAccessToken
  origins: { auth: string; ingest: string; ui: string }
  authorizationEndpoint: string
  /** The path of the development CA; undefined when the server has another certificate. */
  caFile: string | undefined
  /** The operator's own map, below the targets. */
  ownMap: OwnMap
  /** The account page of the identity provider: password, sessions, approved applications. */
  accountUrl: string
  /** Where Sign out continues, to end the session at the identity provider. */
  toSignOutUrl(userId: string): string
  signOutTickets: SignOutTickets
}

export function createPortal(options: PortalOptions): Router {
  const { store, directory, clock, sealer, handlers, mend, verifyAccessToken, origins } = options
  const { caFile, ownMap, authorizationEndpoint, accountUrl, toSignOutUrl, signOutTickets } = options
  const tokens = createTokenClient({ handlers, verifyAccessToken, clock })
  const sessions = createPortalSessions({ store, clock, tokens })
  const { auth: issuer, ui: uiOrigin } = origins
  const transactions = createTransactions<PendingSignIn>({ sealer, clock, name: 'portal-sign-in' })
  const signIn = createPortalSignIn({ transactions, sessions, tokens, authorizationEndpoint, issuer, uiOrigin })
  const flashes = createFlashes({ store })
  const visits = createVisits({ sessions, signIn, flashes, directory, handlers, clock, accountUrl })

  return createPortalRouter({
    overview: createOverviewPages({ visits, ownMap }),
    air: createAirPages({ visits, ownMap }),
    deviceList: createDeviceListPages({ visits }),
    devices: createDevicePages({ visits, mend, ownMap }),
    deliveries: createDeliveryPages({ visits }),
    pairing: createPairingPages({ visits, origins, caFile }),
    sensors: createSensorPages({ visits }),
    signIn,
    async signOut(visitor, fields) {
      const visit = await visits.find(visitor)
      if (!visit) return redirectAnswer(303, signedOutPath)
      const { session } = visit
      if (!isOurs(fields, session.secret, 'sign-out')) return outdatedFormPage()
      return redirectAnswer(303, toSignOutUrl(session.principal.userId), await sessions.end(session))
    },
    async showSignedOut(visitor, query) {
      const userId = signOutTickets.read(query.get('ticket') ?? '', 'portal')
      const visit = userId === undefined ? undefined : await visits.find(visitor)
      const isEnded = visit?.session.principal.userId === userId
      const cookie = visit && isEnded ? await sessions.end(visit.session) : undefined
      return signedOutPage(accountUrl, cookie)
    },
    live: createLiveUpdates({ visits, clock }),
  })
}
