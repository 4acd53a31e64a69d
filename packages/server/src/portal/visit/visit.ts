/**
 * Authenticates requests to the portal's pages and forms.
 * In: the browser's cookies, and the fields of a form. Out: a `Visit`: the session, and what the page needs to render.
 * Without a session the user signs in and comes back. A form without a valid form token changes nothing, and says why.
 */

import type { Handlers } from '../../http/operation/operation.ts'
import { type FormRefusal, findTokenRefusal } from '../../identity/people/own-form.ts'
import { toFormToken } from '../../identity/people/sign-in-transaction.ts'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import { findBrowserSecret, type Visitor } from '../../web/cookies.ts'
import { refusedFormPage, toErrorPage } from '../layout/error.tsx'
import type { Viewer } from '../layout/viewer.tsx'
import { type Call, createCall } from './call.ts'
import { createOncePerClick } from './double-click.ts'
import type { Flash, Flashes } from './flash.ts'
import { toKeptFields } from './kept-fields.ts'
import { createLastReads } from './last-reads.ts'
import { maskToken, unmaskToken } from './masked-token.ts'
import type { PortalSession, PortalSessions, Unsent } from './session.ts'
import type { PortalSignIn } from './sign-in.ts'

export interface Visit {
  session: PortalSession
  viewer: Viewer
  call: Call
  /** Reads, or gives what was read under this name for another stream of the account in the last second. */
  share<T>(name: string, read: () => Promise<T>): Promise<T>
  /** Reads, or gives what the account read last under this name, while it has made too many calls. */
  readOrLast<T>(name: string, read: () => Promise<T>): Promise<T>
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

/**
 * The maximum length of an unsent form and its purpose, in characters. A longer text was probably pasted, so the user
 * still has it.
 */
const maxUnsentLength = 16_384

/** Shown beside a form whose text is offered again after sign-in. */
export const unsentReason = 'You were signed out before this form was submitted. Submit it now if it is still right.'

export function createVisits(options: VisitsOptions): Visits {
  const { sessions, signIn, flashes, directory, handlers, clock, accountUrl } = options
  const readOrLast = createLastReads({ clock })

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
      share: (_name, read) => read(),
      readOrLast: (name, read) => readOrLast(`${session.principal.accountId} ${name}`, read),
      findUnsent: (purpose) => sessions.findUnsent(session, purpose),
      goWith: async (path, flash) => redirectAnswer(303, await flashes.keep(session, path, flash)),
      takeFlash: async (pathname, query) => (query.has('notice') ? flashes.take(session, pathname) : undefined),
    }
  }

  /**
   * Keeps a form of an ended session, or returns the reason why it is refused. Only forms with a valid token are kept:
   * text that another site submitted must not appear as the user's own.
   */
  async function keepUnsent({ cookies }: Visitor, fields: FormFields, purpose: string): Promise<FormRefusal | 'kept'> {
    const owner = await sessions.findOwner(cookies)
    if (!owner) return findBrowserSecret(cookies) === undefined ? 'no-cookie' : 'signed-out'
    const refusal = findPortalRefusal(fields, owner.secret, purpose)
    if (refusal) return refusal
    const kept = toKeptFields(purpose, fields)
    if (!kept || Object.values(kept).reduce((sum, text) => sum + text.length, purpose.length) > maxUnsentLength)
      return 'signed-out'
    await sessions.keepUnsent(owner, { userId: owner.userId, purpose, fields: kept })
    return 'kept'
  }

  const once = createOncePerClick({ clock })

  return {
    find,
    async show(visitor, destination, page) {
      const visit = await find(visitor)
      return visit ? answer(visit, () => page(visit)) : signIn.begin(destination, visitor.cookies)
    },
    async act(visitor, fields, purpose, destination, action) {
      const visit = await find(visitor)
      if (!visit) {
        const outcome = await keepUnsent(visitor, fields, purpose)
        if (outcome === 'kept') return signIn.begin(destination, visitor.cookies, true)
        return refusedFormPage(outcome, destination)
      }
      const refusal = findPortalRefusal(fields, visit.session.secret, purpose)
      if (refusal) return refusedFormPage(refusal, destination, visit.viewer)
      const { form_token: _, ...typed } = fields
      return answer(visit, () => once(visit.session.secret, `${purpose} ${destination}`, typed, () => action(visit)))
    },
  }
}

/** Also of an expected error. */
async function answer({ session, viewer }: Visit, toPage: () => Promise<PageAnswer>): Promise<PageAnswer> {
  const page = await toPage().catch((error: unknown) => toErrorPage(error, viewer))
  return { ...page, accountId: session.principal.accountId }
}

/** In the place of a transaction's id: form tokens belong to the session. */
const portalId = 'portal'

function toPortalToken(secret: string, purpose: string): string {
  return toFormToken(secret, portalId, purpose)
}

/** Why a form is not one that this session was shown. */
export function findPortalRefusal(fields: FormFields, secret: string, purpose: string): FormRefusal | undefined {
  return findTokenRefusal({ form_token: unmaskToken(toText(fields.form_token)) }, { secret, id: portalId, purpose })
}
