/** The Express router of the portal: routes only. Mount it before the API's operations. */
import type { Router } from 'express'
import { type PageAnswer, redirectAnswer } from '../pages/answer.ts'
import { createAssets } from '../pages/assets.ts'
import type { FormFields } from '../pages/form-fields.ts'
import type { Visitor } from '../web/cookies.ts'
import { answerErrors, createPageRouter, parameterOf, visitorOf } from '../web/page-router.ts'
import type { DeliveryPages } from './deliveries/delivery-pages.ts'
import type { DevicePages } from './devices/device-pages.ts'
import { nothingHerePage, signedOutPage, toErrorPage } from './layout/error.tsx'
import {
  callbackPath,
  devicesPath,
  homePath,
  pairingPath,
  pairingStartPath,
  sensorsPath,
  signedOutPath,
  signOutPath,
} from './layout/paths.ts'
import { portalScript, portalScriptPath } from './layout/script.ts'
import type { LiveUpdates } from './live-updates.ts'
import type { PairingPages } from './pairing/pairing-pages.ts'
import type { SensorPages } from './sensors/sensor-pages.ts'
import type { PortalSignIn } from './visit/sign-in.ts'
import type { Visit } from './visit/visit.ts'

export interface PortalRouterOptions {
  devices: DevicePages
  deliveries: DeliveryPages
  pairing: PairingPages
  sensors: SensorPages
  signIn: PortalSignIn
  signOut(visitor: Visitor, fields: FormFields): Promise<PageAnswer>
  live: LiveUpdates
  accountUrl: string
}

/** Large enough for a CSV of 1,000 sensors. */
const maxFormBytes = 512 * 1024

export function createPortalRouter(options: PortalRouterOptions): Router {
  const { devices, deliveries, pairing, sensors, signIn, signOut, live, accountUrl } = options
  const { router, page, form } = createPageRouter({ maxFormBytes })

  function stream(path: string, watch: (visit: Visit, id: string) => Promise<unknown>): void {
    router.get(path, (request, response) =>
      live.stream(visitorOf(request), response, (visit) => watch(visit, parameterOf(request, 'id'))),
    )
  }

  router.use(createAssets({ [portalScriptPath]: { type: 'text/javascript', text: portalScript } }))

  page(homePath, async () => redirectAnswer(303, devicesPath))
  page(callbackPath, (visitor, _id, query) => signIn.complete(query, visitor.cookies))
  page(signedOutPath, async () => signedOutPage(accountUrl))
  form(signOutPath, (visitor, _id, fields) => signOut(visitor, fields))

  page(devicesPath, (visitor, _id, query) => devices.showList(visitor, query))
  stream(`${devicesPath}/live`, devices.watchList)
  page(`${devicesPath}/:id`, devices.show)
  stream(`${devicesPath}/:id/live`, devices.watch)
  page(`${devicesPath}/:id/revoke`, devices.askRevoke)
  form(`${devicesPath}/:id/revoke`, devices.revoke)
  form(`${devicesPath}/:id/storage`, devices.setStorage)
  form(`${devicesPath}/:id/relay`, devices.setRelay)
  form(`${devicesPath}/:id/name`, devices.rename)
  form(`${devicesPath}/:id/test-message`, devices.sendTestMessage)
  page(`${devicesPath}/:id/deliveries`, deliveries.showList)
  form(`${devicesPath}/:id/deliveries/:part/resend`, deliveries.resend)

  page(pairingStartPath, (visitor, _id, query) => devices.showPairingStart(visitor, query))
  form(pairingPath, (visitor, _id, fields) => pairing.start(visitor, fields))
  page(`${pairingPath}/:id`, pairing.show)
  stream(`${pairingPath}/:id/live`, pairing.watch)
  form(`${pairingPath}/:id/cancel`, pairing.cancel)
  form(`${pairingPath}/:id/revoke`, pairing.revoke)

  page(sensorsPath, (visitor, _id, query) => sensors.show(visitor, query))
  form(sensorsPath, (visitor, _id, fields) => sensors.submit(visitor, fields))

  for (const folder of [devicesPath, pairingPath, sensorsPath, '/portal']) {
    page(`${folder}/*rest`, async () => nothingHerePage())
  }

  router.use(answerErrors(toErrorPage))
  return router
}
