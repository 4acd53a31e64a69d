/** The headers of every answer of the API: nothing of it is a page. Pages set their own over these. */
import helmet from 'helmet'

export const securityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  // A popup that an app opened for the login must stay in its reach.
  crossOriginOpenerPolicy: false,
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
})
