/** The Express router of the portal: routes only. Mount it before the API's operations. */
import type { Router } from 'express'
import type { PageAnswer } from '../pages/answer.ts'
import { assets } from '../pages/assets.ts'
import type { FormFields } from '../pages/forms/form-fields.ts'
import { mapAssets, mapHeaders } from '../pages/map-files.ts'
import { createAssetRouter } from '../web/asset-router.ts'
import type { Visitor } from '../web/cookies.ts'
import { answerErrors, createPageRouter, parameterOf, queryOf, visitorOf } from '../web/page-router.ts'
import type { AirPages } from './air/air-pages.ts'
import type { DeliveryPages } from './deliveries/delivery-pages.ts'
import type { DevicePages } from './device/device-pages.ts'
import type { DeviceListPages } from './devices/device-list-pages.ts'
import { signInFailedPage, toErrorPage } from './layout/error.tsx'
import {
  airBasemapPath,
  airHistoryPath,
  airPath,
  airSensorsPath,
  airStreamPath,
  airTracksPath,
  callbackPath,
  devicesCsvPath,
  devicesPath,
  homePath,
  overviewLivePath,
  pairingPath,
  pairingStartPath,
  sensorsPath,
  signedOutPath,
  signInFailedPath,
  signOutPath,
} from './layout/paths.ts'
import type { LivePage, LiveUpdates } from './live-updates.ts'
import type { OverviewPages } from './overview/overview-pages.ts'
import type { PairingPages } from './pairing/pairing-pages.ts'
import type { SensorPages } from './sensors/sensor-pages.ts'
import type { PortalSignIn } from './visit/sign-in.ts'

export interface PortalRouterOptions {
  overview: OverviewPages
  air: AirPages
  deviceList: DeviceListPages
  devices: DevicePages
  deliveries: DeliveryPages
  pairing: PairingPages
  sensors: SensorPages
  signIn: PortalSignIn
  signOut(visitor: Visitor, fields: FormFields): Promise<PageAnswer>
  showSignedOut(visitor: Visitor, query: URLSearchParams): Promise<PageAnswer>
  /** The page for an address without one. */
  showNothing(visitor: Visitor): Promise<PageAnswer>
  live: LiveUpdates
  /** The pages of the API reference. */
  docs: Router
}

/** The longest field is a relay address of 2,048 characters, percent-encoded. */
const maxFormBytes = 8 * 1024
/** Large enough for a CSV of 1,000 sensors. */
const maxSensorsBytes = 512 * 1024

export function createPortalRouter(options: PortalRouterOptions): Router {
  const { overview, air, deviceList, devices, deliveries, pairing, sensors, signIn, signOut, showSignedOut } = options
  const { showNothing, live, docs } = options
  const { router, page, form } = createPageRouter({ maxFormBytes })

  function stream(path: string, toPage: (id: string, query: URLSearchParams) => LivePage): void {
    router.get(path, (request, response) =>
      live.stream(
        visitorOf(request),
        response,
        toPage(parameterOf(request, 'id'), queryOf(request)),
        request.originalUrl,
      ),
    )
  }

  router.use(createAssetRouter(assets))
  router.use(createAssetRouter(mapAssets, mapHeaders))
  router.use(docs)

  page(homePath, (visitor, _id, query) => overview.show(visitor, query))
  stream(overviewLivePath, () => overview.live)
  page(airPath, air.show)
  page(airSensorsPath, air.showSensors)
  page(`${airTracksPath}/:id`, air.showTrack)
  page(airBasemapPath, air.showBasemap)
  router.get(airHistoryPath, (request, response) => air.writeHistory(visitorOf(request), queryOf(request), response))
  router.get(airStreamPath, (request, response) => air.stream(visitorOf(request), response))
  page(callbackPath, (visitor, _id, query) => signIn.complete(query, visitor.cookies))
  page(signInFailedPath, async (_visitor, _id, query) => signInFailedPage(query.get('reason')))
  page(signedOutPath, (visitor, _id, query) => showSignedOut(visitor, query))
  form(signOutPath, (visitor, _id, fields) => signOut(visitor, fields))

  page(devicesPath, (visitor, _id, query) => deviceList.show(visitor, query))
  page(devicesCsvPath, (visitor, _id, query) => deviceList.exportCsv(visitor, query))
  stream(`${devicesPath}/live`, (_id, query) => deviceList.toLive(query))
  page(`${devicesPath}/:id`, devices.show)
  stream(`${devicesPath}/:id/live`, devices.toLive)
  page(`${devicesPath}/:id/revoke`, devices.askRevoke)
  form(`${devicesPath}/:id/revoke`, devices.revoke)
  page(`${devicesPath}/:id/remove`, devices.askRemove)
  form(`${devicesPath}/:id/remove`, devices.remove)
  form(`${devicesPath}/:id/storage`, devices.setStorage)
  form(`${devicesPath}/:id/relay`, devices.changeAddress)
  form(`${devicesPath}/:id/relay-state`, devices.setRelayState)
  form(`${devicesPath}/:id/details`, devices.setDetails)
  form(`${devicesPath}/:id/test-message`, devices.sendTestMessage)
  form(`${devicesPath}/:id/retry`, devices.retry)
  page(`${devicesPath}/:id/deliveries`, deliveries.showList)
  stream(`${devicesPath}/:id/deliveries/live`, deliveries.toLive)
  form(`${devicesPath}/:id/deliveries/resend-buried`, deliveries.resendBuried)
  form(`${devicesPath}/:id/deliveries/:part/resend`, deliveries.resend)

  page(pairingStartPath, (visitor, _id, query) => deviceList.showPairingStart(visitor, query))
  form(pairingPath, (visitor, _id, fields) => pairing.start(visitor, fields))
  page(`${pairingPath}/:id`, pairing.show)
  stream(`${pairingPath}/:id/live`, pairing.toLive)
  form(`${pairingPath}/:id/cancel`, pairing.cancel)
  form(`${pairingPath}/:id/revoke`, pairing.revoke)

  page(sensorsPath, (visitor, _id, query) => sensors.show(visitor, query))
  stream(`${sensorsPath}/live`, (_id, query) => sensors.toLive(query))
  form(sensorsPath, (visitor, _id, fields) => sensors.submit(visitor, fields), maxSensorsBytes)

  for (const folder of [airPath, devicesPath, pairingPath, sensorsPath, '/portal']) {
    page(`${folder}/*rest`, showNothing)
  }

  router.use(answerErrors((error) => toErrorPage(error)))
  return router
}
