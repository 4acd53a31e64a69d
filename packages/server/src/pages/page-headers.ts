/**
 * The security headers of every page: no foreign scripts, no framing, no referrer, no caching.
 * There is no Cross-Origin-Opener-Policy, because an application that opens the login in a popup must be able to see it
 * close.
 */
export interface PageHeaderOptions {
  /** The origin that a form may redirect to. Browsers apply `form-action` to the redirect after a POST as well. */
  formAction?: string
  /** The page loads our own script, which may call this origin. Default: no script may run. */
  scripted?: boolean
  /** The origin of map tiles, which images may come from. */
  imageOrigin?: string | undefined
}

export function pageHeaders({
  formAction,
  scripted = false,
  imageOrigin,
}: PageHeaderOptions = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self' data:${imageOrigin === undefined ? '' : ` ${imageOrigin}`}`,
    ...(scripted ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action 'self'${formAction === undefined ? '' : ` ${formAction}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
  }
}
