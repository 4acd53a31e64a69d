/** Revokes every access token and refresh token that was issued to the subject before now. */
export type Revoke = (subject: `user:${string}` | `client:${string}` | `device:${string}`) => Promise<void>
