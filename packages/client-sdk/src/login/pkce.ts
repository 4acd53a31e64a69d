/**
 * Creates random strings and PKCE code challenges.
 * In: a length, or a code verifier. Out: base64url. See RFC 7636 § 4.1 and § 4.2.
 */
export function createRandom(bytes: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)))
}

export async function toChallenge(codeVerifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))))
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
