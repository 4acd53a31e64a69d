/**
 * Signs the user out of the app and of the service's own pages in this browser.
 * In: a Posrep, in a browser. Out: the tab at the service's page, which asks the user and returns to the redirect URI.
 * See the document, operation signOut.
 */
import type { Operations, paths } from '@posrep/spec'
import { LoginError } from './errors.ts'
import { checkNoOthers } from './origins.ts'
import { findSystemPage, type Page } from './ports.ts'
import type { Posrep } from './posrep.ts'

export interface SignOutAtServiceOptions {
  /** Default: the page. */
  page?: Page | undefined
}

const signOutPath = '/oauth/v2/sign-out' satisfies keyof paths

/**
 * Like `posrep.signOut()`; then the tab goes to the service. It returns to the app's redirect URI, also when the user
 * stays signed in there.
 *
 * @throws SessionError when the revocation fails, LoginError `not_a_browser` without a page
 */
export async function signOutAtService(
  posrep: Pick<Posrep, 'signOut' | 'startSignIn'>,
  { page = findSystemPage(), ...others }: SignOutAtServiceOptions = {},
): Promise<void> {
  checkNoOthers(others, 'signOutAtService')
  if (!page) throw new LoginError('not_a_browser', 'Not in a page; use signOut()')
  // The address of a sign-in, which is not begun, names the service and the client.
  const { origin, searchParams } = new URL((await posrep.startSignIn()).url)
  const parameters: Operations['signOut']['parameters']['query'] = {
    client_id: searchParams.get('client_id') ?? '',
    post_logout_redirect_uri: searchParams.get('redirect_uri') ?? '',
  }
  await posrep.signOut()
  page.location.assign(`${origin}${signOutPath}?${new URLSearchParams(Object.entries(parameters))}`)
}
