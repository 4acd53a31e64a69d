/** Who a verified access token says is calling. */
export type Principal =
  | { kind: 'user'; userId: string; accountId: string; clientId: string; scopes: string[]; tokenId: string }
  | { kind: 'device'; deviceUrn: string; clientId: string; scopes: string[]; tokenId: string }

/** Resolves with the principal; rejects with ApiError `invalid_token` for any token that is not valid here and now. */
export type VerifyAccessToken = (token: string, audience: 'user' | 'device') => Promise<Principal>
