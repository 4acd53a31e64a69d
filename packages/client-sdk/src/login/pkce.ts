/**
 * Creates random strings and PKCE code challenges.
 * In: a length, or a code verifier. Out: base64url. See RFC 7636 § 4.1 and § 4.2.
 */
import { LoginError } from '../errors.ts'

export function createRandom(bytes: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)))
}

/**
 * @throws LoginError `insecure_origin` on a page that is neither https nor on localhost: browsers hide the means there
 */
export async function toChallenge(codeVerifier: string): Promise<string> {
  if (!crypto.subtle) {
    throw new LoginError('insecure_origin', 'Sign-in needs https or localhost')
  }
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))))
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
