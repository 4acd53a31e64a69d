/**
 * The portal: the web pages where users manage devices, pairing and relays (specification, "Surveillance out").
 * In: the API's operations, storage. Out: a router of pages. The portal is an ordinary OAuth client: the user approves
 * it, and it calls the API's operations as that user.
 */
import type { Router } from 'express'
import type { OpenApiDocument, Origins } from '../http/operation/openapi-document.ts'
import type { Handlers } from '../http/operation/operation.ts'
import type { Sealer } from '../identity/keys/sealer.ts'
import { createTransactions } from '../identity/people/sign-in-transaction.ts'
import type { SignOutTickets } from '../identity/people/sign-out-ticket.ts'
import { redirectAnswer } from '../pages/answer.ts'
import type { Clock } from '../ports/clock.ts'
import type { Mend } from '../ports/mend.ts'
import type { VerifyAccessToken } from '../ports/principal.ts'
import type { Directory } from '../ports/storage/directory.ts'
import type { Store } from '../ports/storage/store.ts'
import type { OwnMap } from './air/air-map.tsx'
import { createAirPages } from './air/air-pages.ts'
import { createDeliveryPages } from './deliveries/delivery-pages.ts'
import { createDevicePages } from './device/device-pages.ts'
import { createDeviceListPages } from './devices/device-list-pages.ts'
import { createDocs } from './docs/docs-pages.ts'
import { nothingHerePage, refusedFormPage, signedOutPage } from './layout/error.tsx'
import { homePath, signedOutPath } from './layout/paths.ts'
import { createLiveUpdates } from './live-updates.ts'
import { createOverviewPages } from './overview/overview-pages.ts'
import { createPairingPages } from './pairing/pairing-pages.ts'
import { createPortalRouter } from './router.ts'
import { createSensorPages } from './sensors/sensor-pages.ts'
import { createFlashes } from './visit/flash.ts'
import { createPortalSessions } from './visit/session.ts'
import { createPortalSignIn, type PendingSignIn } from './visit/sign-in.ts'
import { createTokenClient } from './visit/token-client.ts'
import { createVisits, findPortalRefusal } from './visit/visit.ts'

export interface PortalOptions {
  store: Store
  directory: Directory
  clock: Clock
  sealer: Sealer
  handlers: Handlers
  /** Corrects a report as submitted, for the pages that show it. */
  mend: Mend
  verifyAccessToken: VerifyAccessToken
  origins: Origins
  /** With these origins. */
  document: OpenApiDocument
  /** Whether another account had the local ID of this account's device first. */
  isOfAnotherAccount(accountId: string, localId: string): Promise<boolean>
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
  const {
    caFile,
    ownMap,
    document,
    isOfAnotherAccount,
    authorizationEndpoint,
    accountUrl,
    toSignOutUrl,
    signOutTickets,
  } = options
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
    sensors: createSensorPages({ visits, directory, isOfAnotherAccount }),
    signIn,
    async signOut(visitor, fields) {
      const visit = await visits.find(visitor)
      if (!visit) return redirectAnswer(303, signedOutPath)
      const { session } = visit
      const refusal = findPortalRefusal(fields, session.secret, 'sign-out')
      if (refusal) return refusedFormPage(refusal, homePath, visit.viewer)
      return redirectAnswer(303, toSignOutUrl(session.principal.userId), await sessions.end(session))
    },
    async showSignedOut(visitor, query) {
      const signOut = signOutTickets.read(query.get('ticket') ?? '', 'portal')
      const visit = signOut && (await visits.find(visitor))
      const isEnded = visit?.session.principal.userId === signOut?.userId
      const cookie = visit && isEnded ? await sessions.end(visit.session) : undefined
      const returnTo = signOut?.returnTo
      return returnTo === undefined ? signedOutPage(accountUrl, cookie) : redirectAnswer(303, returnTo, cookie)
    },
    showNothing: async (visitor) => nothingHerePage((await visits.find(visitor))?.viewer),
    live: createLiveUpdates({ visits, clock }),
    docs: createDocs({ document, origins, visits }),
  })
}
