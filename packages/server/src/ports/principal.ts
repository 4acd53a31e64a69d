/** The caller that a verified access token identifies. */
export type Principal =
  | { kind: 'user'; userId: string; accountId: string; clientId: string; scopes: string[]; tokenId: string }
  | { kind: 'device'; deviceUrn: string; clientId: string; scopes: string[]; tokenId: string }

/**
 * Resolves with the principal. Rejects with ApiError `invalid_token` for a token that is not valid for this audience
 * now.
 */
export type VerifyAccessToken = (token: string, audience: 'user' | 'device') => Promise<Principal>
