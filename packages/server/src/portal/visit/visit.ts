/**
 * Authenticates requests to the portal's pages and forms.
 * In: the browser's cookies, and the fields of a form. Out: a `Visit`: the session, and what the page needs to render.
 * Without a session the user signs in and comes back. A form without a valid form token changes nothing.
 */

import type { Handlers } from '../../http/operation/operation.ts'
import { toFormToken } from '../../identity/people/sign-in-transaction.ts'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import { isSameSecret } from '../../secrets.ts'
import type { Visitor } from '../../web/cookies.ts'
import { outdatedFormPage } from '../layout/error.tsx'
import type { Viewer } from '../layout/portal-layout.tsx'
import { type Call, createCall } from './call.ts'
import { createOncePerClick } from './double-click.ts'
import type { Flash, Flashes } from './flash.ts'
import { maskToken, unmaskToken } from './masked-token.ts'
import type { PortalSession, PortalSessions, Unsent } from './session.ts'
import type { PortalSignIn } from './sign-in.ts'

export interface Visit {
  session: PortalSession
  viewer: Viewer
  call: Call
  /** See `PortalSessions.findUnsent`. */
  findUnsent(purpose: string): Promise<Unsent['fields'] | undefined>
  /** Redirects to a page, which shows the flash once. */
  goWith(path: string, flash: Flash): Promise<PageAnswer>
  /** The flash for the page with this address. */
  takeFlash(pathname: string, query: URLSearchParams): Promise<Flash | undefined>
}

export interface Visits {
  /** @param destination The page to return to after sign-in: a path built by the portal. */
  show(visitor: Visitor, destination: string, page: (visit: Visit) => Promise<PageAnswer>): Promise<PageAnswer>
  /**
   * @param purpose The purpose in the form's token.
   * @param destination As in `show`, without a query.
   */
  act(
    visitor: Visitor,
    fields: FormFields,
    purpose: string,
    destination: string,
    action: (visit: Visit) => Promise<PageAnswer>,
  ): Promise<PageAnswer>
  find(visitor: Visitor): Promise<Visit | undefined>
}

export interface VisitsOptions {
  sessions: PortalSessions
  signIn: PortalSignIn
  flashes: Flashes
  directory: Pick<Directory, 'find'>
  handlers: Handlers
  clock: Clock
  accountUrl: string
}

/** The maximum length of an unsent form, in characters. A longer text was probably pasted, so the user still has it. */
const maxUnsentLength = 16_384

/** Shown beside a form whose text is offered again after sign-in. */
export const unsentReason = 'You were signed out before this form was submitted. Submit it now if it is still right.'

export function createVisits(options: VisitsOptions): Visits {
  const { sessions, signIn, flashes, directory, handlers, clock, accountUrl } = options

  async function find({ cookies, address }: Visitor): Promise<Visit | undefined> {
    const session = await sessions.find(cookies)
    const user = session && (await directory.find('user', session.principal.userId))
    if (!session || !user) return undefined
    const viewer: Viewer = {
      email: user.email,
      nowMs: clock.now(),
      accountUrl,
      toToken: (purpose) => maskToken(toPortalToken(session.secret, purpose)),
    }
    const call = createCall(handlers, session.principal, address)
    return {
      session,
      viewer,
      call,
      findUnsent: (purpose) => sessions.findUnsent(session, purpose),
      goWith: async (path, flash) => redirectAnswer(303, await flashes.keep(session, path, flash)),
      takeFlash: async (pathname, query) => (query.has('notice') ? flashes.take(session, pathname) : undefined),
    }
  }

  /**
   * Keeps a form of an ended session; false for any other. Only forms with a valid token are kept: text that another site
   * submitted must not appear as the user's own.
   */
  async function keepUnsent({ cookies }: Visitor, fields: FormFields, purpose: string): Promise<boolean> {
    const owner = await sessions.findOwner(cookies)
    if (!owner || !isOurs(fields, owner.secret, purpose)) return false
    const { form_token: _, ...typed } = fields
    const texts = Object.entries(typed).map(([name, field]): [string, string] => [name, toText(field)])
    const length = texts.reduce((sum, [, text]) => sum + text.length, 0)
    if (length > maxUnsentLength) return false
    await sessions.keepUnsent(owner, { userId: owner.userId, purpose, fields: Object.fromEntries(texts) })
    return true
  }

  const once = createOncePerClick({ clock })

  return {
    find,
    async show(visitor, destination, page) {
      const visit = await find(visitor)
      return visit ? page(visit) : signIn.begin(destination, visitor.cookies)
    },
    async act(visitor, fields, purpose, destination, action) {
      const visit = await find(visitor)
      if (!visit) return signIn.begin(destination, visitor.cookies, await keepUnsent(visitor, fields, purpose))
      if (!isOurs(fields, visit.session.secret, purpose)) return outdatedFormPage()
      const { form_token: _, ...typed } = fields
      return once(visit.session.secret, `${purpose} ${destination}`, typed, () => action(visit))
    },
  }
}

function toPortalToken(secret: string, purpose: string): string {
  return toFormToken(secret, 'portal', purpose)
}

export function isOurs(fields: FormFields, secret: string, purpose: string): boolean {
  return isSameSecret(unmaskToken(toText(fields.form_token)), toPortalToken(secret, purpose))
}
