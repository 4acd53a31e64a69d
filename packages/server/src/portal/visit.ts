/**
 * A request to a page of the portal, once it is known who sends it.
 * In: the browser's cookies, and for a form its fields. Out: what the page needs of its visitor; without a session the
 * visitor signs in and comes back, and a form that was not sent from our page changes nothing.
 */

import type { Handlers } from '../http/operation.ts'
import type { Visitor } from '../identity/cookies.ts'
import { isSameSecret } from '../identity/secrets.ts'
import { toFormToken } from '../identity/transaction.ts'
import type { PageAnswer } from '../pages/answer.ts'
import { type FormFields, toText } from '../pages/form-fields.ts'
import type { Clock } from '../ports/clock.ts'
import type { Directory } from '../ports/directory.ts'
import { type Call, createCall } from './call.ts'
import { createOncePerClick } from './double-click.ts'
import { outdatedFormPage } from './pages/error.tsx'
import type { Viewer } from './pages/frame.tsx'
import type { PortalSession, PortalSessions, Unsent } from './session.ts'
import type { PortalSignIn } from './sign-in.ts'

export interface Visit {
  session: PortalSession
  viewer: Viewer
  call: Call
  /** See `PortalSessions`. */
  findUnsent(purpose: string): Promise<Unsent['fields'] | undefined>
}

export interface Visits {
  /** @param destination Where the visitor comes back to after signing in: a path that we made. */
  show(visitor: Visitor, destination: string, page: (visit: Visit) => Promise<PageAnswer>): Promise<PageAnswer>
  /**
   * @param purpose Of the form, as its token has it.
   * @param destination As for `show`, without a query.
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
  directory: Pick<Directory, 'find'>
  handlers: Handlers
  clock: Clock
  accountUrl: string
}

/** Characters that wait for somebody to sign in; who pastes more has it elsewhere. */
const maxUnsentLength = 16_384

export function createVisits({ sessions, signIn, directory, handlers, clock, accountUrl }: VisitsOptions): Visits {
  async function find({ cookies, address }: Visitor): Promise<Visit | undefined> {
    const session = await sessions.find(cookies)
    const user = session && (await directory.find('user', session.principal.userId))
    if (!session || !user) return undefined
    const viewer: Viewer = {
      email: user.email,
      nowMs: clock.now(),
      accountUrl,
      toToken: (purpose) => toPortalToken(session.secret, purpose),
    }
    const call = createCall(handlers, session.principal, address)
    return { session, viewer, call, findUnsent: (purpose) => sessions.findUnsent(session, purpose) }
  }

  /** Only of our own form: nobody else's text is put into the mouth of a user. */
  async function findUnsent({ cookies }: Visitor, fields: FormFields, purpose: string): Promise<Unsent | undefined> {
    const owner = await sessions.findOwner(cookies)
    if (!owner || !isOurs(fields, owner.secret, purpose)) return undefined
    const { form_token: _, ...typed } = fields
    const texts = Object.entries(typed).map(([name, field]): [string, string] => [name, toText(field)])
    const length = texts.reduce((sum, [, text]) => sum + text.length, 0)
    if (length > maxUnsentLength) return undefined
    return { userId: owner.userId, purpose, fields: Object.fromEntries(texts) }
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
      if (!visit) return signIn.begin(destination, visitor.cookies, await findUnsent(visitor, fields, purpose))
      if (!isOurs(fields, visit.session.secret, purpose)) return outdatedFormPage()
      return once(visit.session.secret, `${purpose} ${destination}`, fields, () => action(visit))
    },
  }
}

function toPortalToken(secret: string, purpose: string): string {
  return toFormToken(secret, 'portal', purpose)
}

function isOurs(fields: FormFields, secret: string, purpose: string): boolean {
  return isSameSecret(toText(fields.form_token), toPortalToken(secret, purpose))
}
