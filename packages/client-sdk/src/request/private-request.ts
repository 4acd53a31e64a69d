/**
 * What all requests with secrets have in common: a redirect is not followed, because it would carry the secret to
 * another origin, and no cookies are sent.
 */
export const privateInit: RequestInit = {
  redirect: 'manual',
  // Workers have no cookies, and refuse the member.
  ...('credentials' in Request.prototype && { credentials: 'omit' }),
}
