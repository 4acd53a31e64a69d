/** The Express router of the portal: routes and form parsing, no rules. Mount it before the API's operations. */
import express, { type Request, Router } from 'express'
import { answerErrors, type PageAnswer, redirectAnswer, sendAnswer } from '../pages/answer.ts'
import { createAssets } from '../pages/assets.ts'
import type { FormFields } from '../pages/form-fields.ts'
import type { Visitor } from '../web/cookies.ts'
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
const parseForm = express.urlencoded({ extended: false, limit: 512 * 1024, parameterLimit: 20 })

type Show = (visitor: Visitor, id: string, query: URLSearchParams) => Promise<PageAnswer>
type Submit = (visitor: Visitor, fields: FormFields, id: string, part: string) => Promise<PageAnswer>

export function createPortalRouter(options: PortalRouterOptions): Router {
  const { devices, deliveries, pairing, sensors, signIn, signOut, live, accountUrl } = options
  const router = Router({ caseSensitive: true, strict: true })

  function page(path: string, show: Show): void {
    router.get(path, async (request, response) =>
      sendAnswer(response, await show(toVisitor(request), toParameter(request, 'id'), toQuery(request))),
    )
  }

  function form(path: string, submit: Submit): void {
    router.post(path, parseForm, async (request, response) =>
      sendAnswer(
        response,
        await submit(toVisitor(request), request.body ?? {}, toParameter(request, 'id'), toParameter(request, 'part')),
      ),
    )
  }

  function stream(path: string, watch: (visit: Visit, id: string) => Promise<unknown>): void {
    router.get(path, (request, response) =>
      live.stream(toVisitor(request), response, (visit) => watch(visit, toParameter(request, 'id'))),
    )
  }

  router.use(createAssets({ [portalScriptPath]: { type: 'text/javascript', text: portalScript } }))

  page(homePath, async () => redirectAnswer(303, devicesPath))
  page(callbackPath, (visitor, _id, query) => signIn.complete(query, visitor.cookies))
  page(signedOutPath, async () => signedOutPage(accountUrl))
  form(signOutPath, signOut)

  page(devicesPath, (visitor, _id, query) => devices.showList(visitor, query))
  stream(`${devicesPath}/live`, devices.watchList)
  page(`${devicesPath}/:id`, devices.show)
  stream(`${devicesPath}/:id/live`, devices.watch)
  page(`${devicesPath}/:id/revoke`, devices.askRevoke)
  form(`${devicesPath}/:id/revoke`, (visitor, fields, id) => devices.revoke(visitor, id, fields))
  form(`${devicesPath}/:id/storage`, (visitor, fields, id) => devices.setStorage(visitor, id, fields))
  form(`${devicesPath}/:id/relay`, (visitor, fields, id) => devices.setRelay(visitor, id, fields))
  form(`${devicesPath}/:id/name`, (visitor, fields, id) => devices.rename(visitor, id, fields))
  form(`${devicesPath}/:id/test-message`, (visitor, fields, id) => devices.sendTestMessage(visitor, id, fields))
  page(`${devicesPath}/:id/deliveries`, deliveries.showList)
  form(`${devicesPath}/:id/deliveries/:part/resend`, (visitor, fields, id, part) =>
    deliveries.resend(visitor, id, part, fields),
  )

  page(pairingStartPath, (visitor, _id, query) => devices.showPairingStart(visitor, query))
  form(pairingPath, (visitor, fields) => pairing.start(visitor, fields))
  page(`${pairingPath}/:id`, pairing.show)
  stream(`${pairingPath}/:id/live`, pairing.watch)
  form(`${pairingPath}/:id/cancel`, (visitor, fields, id) => pairing.cancel(visitor, id, fields))
  form(`${pairingPath}/:id/revoke`, (visitor, fields, id) => pairing.revoke(visitor, id, fields))

  page(sensorsPath, (visitor, _id, query) => sensors.show(visitor, query))
  form(sensorsPath, (visitor, fields) => sensors.submit(visitor, fields))

  for (const folder of [devicesPath, pairingPath, sensorsPath, '/portal']) {
    page(`${folder}/*rest`, async () => nothingHerePage())
  }

  router.use(answerErrors(toErrorPage))
  return router
}

function toParameter(request: Request, name: string): string {
  return String(request.params[name] ?? '')
}

function toQuery({ originalUrl }: Request): URLSearchParams {
  const at = originalUrl.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : originalUrl.slice(at))
}

function toVisitor(request: Request): Visitor {
  return { cookies: request.headers.cookie, address: request.ip ?? '', userAgent: request.headers['user-agent'] }
}
