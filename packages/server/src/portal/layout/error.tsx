/**
 * The portal's error pages, and the page shown after sign-out. Each says what happened, why, and what to do.
 * In: why, and the signed-in user if there is one. Out: a page.
 */
import type { ApiErrorCode } from '../../errors.ts'
import type { FormRefusal } from '../../identity/people/own-form.ts'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { createToErrorPage, type ErrorWords, errorPage, type Frame } from '../../pages/frame/error-page.tsx'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { refusals, toRefusalStatus } from '../../pages/frame/refusals.ts'
import { devicesPath, homePath } from './paths.ts'
import { PortalBar } from './portal-bar.tsx'
import { toFormAction, type Viewer } from './viewer.tsx'

function toFrame(viewer: Viewer | undefined): Frame {
  return { bar: <PortalBar viewer={viewer} />, ...(viewer && { formAction: toFormAction(viewer) }) }
}

const toSignIn = { path: homePath, label: 'Sign in' }
const toDevices = { path: devicesPath, label: 'Your devices' }

const again = { next: 'Sign in again.', link: toSignIn }

const signIns = {
  denied: {
    title: 'Not signed in',
    what: 'You did not approve access for the portal. Without access it cannot show your devices.',
    next: 'To use the portal, sign in again and approve.',
    link: toSignIn,
  },
  'no-cookie': { ...refusals['no-cookie'], ...again },
  'other-browser': { ...refusals['other-browser'], ...again },
  expired: { ...refusals.expired, ...again },
  refused: {
    title: 'The sign-in failed',
    what: 'The identity provider refused it, or sent an unexpected answer.',
    next: 'Sign in again. If that fails too, contact the operator of this server.',
    link: toSignIn,
  },
} satisfies Record<string, ErrorWords>

/** Why a sign-in failed. */
export type SignInFailure = keyof typeof signIns

/** @param reason As in the address. */
export function signInFailedPage(reason: string | null): PageAnswer {
  const words = reason !== null && Object.hasOwn(signIns, reason) ? signIns[reason as SignInFailure] : signIns.refused
  return errorPage(400, { ...words, ...toFrame(undefined) })
}

export function signedOutPage(accountUrl: string, cookie?: string): PageAnswer {
  return htmlAnswer(
    toHtml(
      <Layout title="Signed out" bar={<PortalBar viewer={undefined} />}>
        <h1>Signed out</h1>
        <p>You are signed out of the portal and of your account in this browser.</p>
        <p class="quiet">Applications keep the access that you have approved. Your account shows which.</p>
        <div class="choices">
          <a class="button" href={homePath}>
            Sign in
          </a>
          <a class="button" href={accountUrl}>
            Your account
          </a>
        </div>
      </Layout>,
    ),
    { cookie },
  )
}

/** The page for a refused form. @param path The page from which the user can try again. */
export function refusedFormPage(refusal: FormRefusal, path: string, viewer?: Viewer): PageAnswer {
  const isSignedOut = refusal === 'signed-out'
  return errorPage(toRefusalStatus(refusal), {
    ...toFrame(viewer),
    ...refusals[refusal],
    next: isSignedOut ? 'Sign in and try again.' : 'Open the page again and try from there.',
    link: { path, label: isSignedOut ? 'Sign in' : 'Open the page' },
  })
}

export function nothingHerePage(viewer?: Viewer): PageAnswer {
  return errorPage(404, {
    ...toFrame(viewer),
    title: 'Page not found',
    what: 'The portal has no page at this address, or the page belongs to another account.',
    next: 'Check the address, or go to your devices.',
    link: toDevices,
  })
}

const statuses: Partial<Record<ApiErrorCode, PageAnswer['status']>> = {
  invalid_request: 400,
  invalid_body: 400,
  too_many_requests: 429,
}

const defaultNext = 'Go back and try again.'
const nexts: Partial<Record<ApiErrorCode, string>> = {
  pairing_not_allowed:
    'Send this text to the operator of this server, and press Pair again when the pairing is allowed.',
}

/** The page for an expected error. @throws any other error, for the log. */
export function toErrorPage(error: unknown, viewer?: Viewer): PageAnswer {
  const frame = toFrame(viewer)
  const toPage = createToErrorPage({
    toPage({ code, message }) {
      if (code === 'unavailable' || code === 'body_too_large' || code === 'unsupported_media_type') return undefined
      if (code.endsWith('not_found')) return nothingHerePage(viewer)
      return errorPage(statuses[code] ?? 409, {
        ...frame,
        title: 'That did not work',
        what: `${message}. Nothing was changed.`,
        next: nexts[code] ?? defaultNext,
        link: toDevices,
      })
    },
    unreadable: { next: 'Go back and try again with less text.', link: toDevices },
    frame,
  })
  return toPage(error)
}
