/** The paths of the identity provider's pages. They are not part of the OpenAPI document. */

/**
 * The current page of an authorization request (sign-in or approval). Its forms post to the paths below it.
 * @param sealed `Transaction.sealed`
 */
export function interactionPath(sealed: string, form?: 'sign-in' | 'sign-out' | 'decision'): string {
  return `/oauth/v2/authorize/${sealed}${form === undefined ? '' : `/${form}`}`
}

/** The page that asks a user whether to sign out, and the target of its form; the application's request is sealed. */
export function signOutPath(sealed: string): string {
  return `/oauth/v2/sign-out/${sealed}`
}

export const accountPath = '/account'

/** Sets a new password, with the secret of an operator's link. */
export function resetPath(secret: string): string {
  return `${accountPath}/reset/${secret}`
}
/** Ends the session of a browser that signed out of the portal. */
export const accountSignedOutPath = '/account/signed-out'

export function accountFormPath(form: 'sign-out' | 'password' | 'end-others'): string {
  return `${accountPath}/${form}`
}

/** The sign-in page of the account page; the visit, sealed, has the page to return to. */
export function pageSignInPath(sealed: string): string {
  return `${accountPath}/sign-in/${sealed}`
}

/** The page that asks for confirmation, and the target of its form. */
export function revokeAccessPath(clientId: string): string {
  return `${accountPath}/applications/${encodeURIComponent(clientId)}/revoke`
}

export function sessionPath(sessionId: string): string {
  return `${accountPath}/sessions/${encodeURIComponent(sessionId)}/end`
}
