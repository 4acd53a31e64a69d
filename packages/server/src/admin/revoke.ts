/** Ends what was issued to a subject until now: its refresh families and the access tokens that are out. */
export type Revoke = (subject: `user:${string}` | `client:${string}` | `device:${string}`) => Promise<void>
