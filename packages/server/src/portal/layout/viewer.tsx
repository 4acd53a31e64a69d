/** The signed-in user of a page, and what the page's forms need of the session. */

/** What every page needs to know of the signed-in user. */
export interface Viewer {
  email: string
  nowMs: number
  /** The user's account page at the identity provider. */
  accountUrl: string
  /** The form token for a purpose. */
  toToken(purpose: string): string
}

export function FormToken({ viewer, purpose }: { viewer: Viewer; purpose: string }) {
  return <input type="hidden" name="form_token" value={viewer.toToken(purpose)} />
}

/** Sign-out continues at the identity provider, which may have another origin: the page must allow that form. */
export function toFormAction({ accountUrl }: Viewer): string {
  return new URL(accountUrl).origin
}
