/** The identity provider's error pages: what happened, why, and what to do. They never repeat text from the request. */
import type { PageAnswer } from '../../pages/answer.ts'
import { createToErrorPage, type ErrorWords, errorPage } from '../../pages/frame/error-page.tsx'
import { type Refusal, refusals, toRefusalStatus } from '../../pages/frame/refusals.ts'
import { SiteNav } from '../../pages/frame/site-nav.tsx'
import { accountPath } from './paths.ts'

const toAccount = { path: accountPath, label: 'Your account' }
const contactTheApplication = 'Go back to the application and contact the people who run it.'
const signInFromTheApplication = 'Go back to the application and sign in again from there.'

const fromTheAccount = { next: 'Open your account and try again from there.', link: toAccount }

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
    /** A page of an application's request. */
    ended: (refusal: Refusal) => page(400, { ...refusals[refusal], next: signInFromTheApplication }),
    /** A form of an application's request. */
    refused: (refusal: Refusal) =>
      page(toRefusalStatus(refusal), { ...refusals[refusal], next: signInFromTheApplication }),
    /** A page of the sign-in to the account page. */
    endedAtAccount: (refusal: Refusal) => page(400, { ...refusals[refusal], ...fromTheAccount }),
    /** A form of the account page. */
    refusedAtAccount: (refusal: Refusal) => page(toRefusalStatus(refusal), { ...refusals[refusal], ...fromTheAccount }),
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
