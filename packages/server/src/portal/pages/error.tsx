/** The portal's pages that say what went wrong, why, and what to do. */
import { ApiError } from '../../errors.ts'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { type ErrorWords, errorPage } from '../../pages/error-page.tsx'
import { Layout, toHtml } from '../../pages/layout.tsx'
import { devicesPath, homePath } from './paths.ts'

const again = { path: homePath, label: 'Sign in' }
const toDevices = { path: devicesPath, label: 'Your devices' }

const signIns = {
  denied: {
    title: 'Not signed in',
    what: 'You did not approve that the portal acts for you, and without that it can show nothing.',
    next: 'To use the portal, sign in again and approve.',
    link: again,
  },
  over: {
    title: 'This sign-in is over',
    what: 'It took longer than 30 minutes, was used already, or was started in another browser.',
    next: 'Sign in again.',
    link: again,
  },
  refused: {
    title: 'The sign-in failed',
    what: 'The identity provider did not accept it, or answered something that was not asked for.',
    next: 'Sign in again. If that fails too, tell the people who run this server.',
    link: again,
  },
} satisfies Record<string, ErrorWords>

export function signInFailedPage(reason: keyof typeof signIns): PageAnswer {
  return errorPage(400, signIns[reason])
}

export function signedOutPage(accountUrl: string): PageAnswer {
  return htmlAnswer(
    toHtml(
      <Layout title="Signed out">
        <h1>Signed out</h1>
        <p>The portal can act for you no more.</p>
        <p class="quiet">
          You may still be signed in to your account in this browser. On a shared computer, sign out there, too.
        </p>
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
  )
}

export function outdatedFormPage(): PageAnswer {
  return errorPage(403, {
    title: 'This form is out of date',
    what: 'It was not sent from a page that we showed to you, or you have signed in or out since. Nothing was changed.',
    next: 'Go back to your devices and try again from there.',
    link: toDevices,
  })
}

export function nothingHerePage(): PageAnswer {
  return errorPage(404, {
    title: 'There is nothing here',
    what: 'The address is not one of the portal, or names something that is not of your account.',
    next: 'Check it, or go to your devices.',
    link: toDevices,
  })
}

const statuses: Partial<Record<ApiError['code'], PageAnswer['status']>> = {
  invalid_request: 400,
  invalid_body: 400,
  too_many_requests: 429,
}

/** The page for an error that was planned for. @throws any other one, which is for the log. */
export function toErrorPage(thrown: unknown): PageAnswer {
  if (thrown instanceof ApiError) return toPage(thrown)
  // What the body parser throws carries a status.
  if (thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500) {
    return errorPage(413, {
      title: 'This form could not be read',
      what: 'It is too large, or was cut off. Nothing was changed.',
      next: 'Go back and try again with less.',
      link: toDevices,
    })
  }
  throw thrown
}

function toPage(error: ApiError): PageAnswer {
  if (error.code.endsWith('not_found')) return nothingHerePage()
  if (error.code === 'unavailable') {
    const page = errorPage(503, {
      title: 'Try again',
      what: 'The request could not be processed just now. Nothing was changed.',
      next: 'Wait a few seconds, then reload this page.',
    })
    return { ...page, headers: { ...page.headers, 'Retry-After': '5', ...error.headers } }
  }
  const page = errorPage(statuses[error.code] ?? 409, {
    title: 'That did not work',
    what: `${error.message}. Nothing was changed.`,
    next: 'Go back and try again.',
    link: toDevices,
  })
  return { ...page, headers: { ...page.headers, ...error.headers } }
}
