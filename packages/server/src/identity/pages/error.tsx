/** The identity provider's error pages: what happened, why, and what to do. They never repeat text from the request. */
import type { PageAnswer } from '../../pages/answer.ts'
import { createToErrorPage, type ErrorWords, errorPage } from '../../pages/frame/error-page.tsx'
import { SiteNav } from '../../pages/frame/site-nav.tsx'
import { accountPath } from './paths.ts'

const toAccount = { path: accountPath, label: 'Your account' }
const contactTheApplication = 'Go back to the application and contact the people who run it.'
const signInFromTheApplication = 'Go back to the application and sign in again from there.'

const targetRefusals = {
  'unknown-client': {
    title: 'Unknown application',
    what: 'The application that sent you here is not registered, is disabled, or sent a missing or wrong "client_id".',
    next: contactTheApplication,
  },
  'unknown-redirect-uri': {
    title: 'Unknown return address',
    what: 'The application did not send the address to return to ("redirect_uri"), or sent one that is not registered for it.',
    next: contactTheApplication,
  },
  'loopback-redirect-uri': {
    title: 'Return address not allowed',
    what: 'The address to return to ("redirect_uri") is registered for the application, but this server allows no http addresses.',
    next: 'To develop an application on your own machine, start the server with --allow-loopback-redirects.',
  },
  'repeated-parameter': {
    title: 'Ambiguous request',
    what: 'The application sent "client_id" or "redirect_uri" more than once.',
    next: contactTheApplication,
  },
} satisfies Record<string, ErrorWords>

const outdatedForm = {
  title: 'This form is out of date',
  what: 'It was not submitted from our page, or you have signed in or out since. Nothing was changed.',
}

export type ErrorPages = ReturnType<typeof createErrorPages>

/** @param uiOrigin Of the portal, for the navigation. */
export function createErrorPages(uiOrigin: string) {
  const frame = { bar: <SiteNav uiOrigin={uiOrigin} />, uiOrigin }
  const page = (status: PageAnswer['status'], words: ErrorWords) => errorPage(status, { ...words, ...frame })

  function tooManyAttempts(seconds: number): PageAnswer {
    const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
    return page(429, {
      title: 'Too many attempts',
      what: 'Your network has sent too many sign-ins or new accounts. This attempt was not checked, and nothing was changed.',
      next: `Wait ${wait}, then go back and try again.`,
    })
  }

  return {
    targetRefused: (refusal: keyof typeof targetRefusals) => page(400, targetRefusals[refusal]),
    ended: () =>
      page(400, {
        title: 'This request has expired',
        what: 'It was already answered, took longer than 30 minutes, or was started in another browser.',
        next: signInFromTheApplication,
      }),
    forgedForm: () => page(403, { ...outdatedForm, next: signInFromTheApplication }),
    tamperedForm: () =>
      page(400, {
        title: 'This form was altered',
        what: 'It contains an answer that the page did not offer. Nothing was changed.',
        next: signInFromTheApplication,
      }),
    endedVisit: () =>
      page(400, {
        title: 'This sign-in has expired',
        what: 'It took longer than 30 minutes, or was started in another browser.',
        next: 'Open your account to sign in again.',
        link: toAccount,
      }),
    outdatedAccountForm: () =>
      page(403, { ...outdatedForm, next: 'Open your account and try again from there.', link: toAccount }),
    nothingHere: () =>
      page(404, {
        title: 'Page not found',
        what: 'There is no page at this address, or it belongs to another account.',
        next: 'Check the address, or open your account.',
        link: toAccount,
      }),
    /** The page for an expected error. @throws any other error, for the log. */
    ofError: createToErrorPage({
      toPage({ code, headers }) {
        if (code === 'too_many_requests') return tooManyAttempts(Number(headers['Retry-After'] ?? 5))
        return undefined
      },
      unreadable: { next: signInFromTheApplication },
      frame,
    }),
  }
}
