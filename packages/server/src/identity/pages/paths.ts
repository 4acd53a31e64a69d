/** Where the pages of the identity provider live; they are not part of the document. */

/** The page that a transaction's user sees next; its forms post to paths below it. */
export function interactionPath(transactionId: string, form?: 'sign-in' | 'sign-out' | 'decision'): string {
  return `/oauth/v2/authorize/${transactionId}${form === undefined ? '' : `/${form}`}`
}

export const accountPath = '/account'

export function accountFormPath(form: 'sign-out' | 'password'): string {
  return `${accountPath}/${form}`
}

/** Signing in for the account page: the visit knows where it leads. */
export function pageSignInPath(visitId: string): string {
  return `${accountPath}/sign-in/${visitId}`
}

/** The page that asks, and where its form goes. */
export function revokeAccessPath(clientId: string): string {
  return `${accountPath}/applications/${encodeURIComponent(clientId)}/revoke`
}

export function sessionPath(sessionId: string): string {
  return `${accountPath}/sessions/${encodeURIComponent(sessionId)}/end`
}
