/**
 * The headers of every page: nothing foreign runs, nothing is framed, nothing leaks, nothing is kept.
 * There is no Cross-Origin-Opener-Policy, because an application that opened the login in a popup watches it.
 */
export interface PageHeaderOptions {
  /** Browsers apply `form-action` to the redirect after a form's POST, too: the origin that it may lead to. */
  formAction?: string
  /** The page has a script of ours, which asks this origin. Default: nothing runs. */
  scripted?: boolean
}

export function pageHeaders({ formAction, scripted = false }: PageHeaderOptions = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
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
