/**
 * The common parts of the three grants: their context, their result, and the check of who may use them.
 */

import type { SensorIdPolicy } from '../../devices/local-id.ts'
import type { DeviceRegistry } from '../../devices/registry.ts'
import type { Client, Directory, Grant } from '../../ports/storage/directory.ts'
import { randomSecret } from '../../secrets.ts'
import type { Audit } from '../audit.ts'
import type { AuthorizationCodes } from '../authorize/authorization-code.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Revocations } from '../revocation/revocations.ts'
import type { AccessTokens, Subject } from '../tokens/access-token.ts'
import type { PairedFamilies } from '../tokens/paired-families.ts'
import type { RefreshFamilies } from '../tokens/refresh-family.ts'
import type { TokenPair } from '../tokens/sealed-successor.ts'
import type { Caller } from './client-authentication.ts'
import type { Form } from './form.ts'

export interface GrantContext {
  directory: Directory
  devices: DeviceRegistry
  sensorIdPolicy: SensorIdPolicy
  codes: AuthorizationCodes
  families: RefreshFamilies
  pairedFamilies: PairedFamilies
  accessTokens: AccessTokens
  revocations: Pick<Revocations, 'issue' | 'writeUnlessRevoked'>
  audit: Audit
}

/** There is no refresh token for a client that is not registered for the refresh grant. */
export type IssuedTokens = Omit<TokenPair, 'refreshToken'> & Partial<Pick<TokenPair, 'refreshToken'>>

/** @param authenticate Reads the client and checks its secret; it is called again when the issue is repeated. */
export type IssueByGrant = (
  form: Form,
  authenticate: () => Promise<Caller>,
  context: GrantContext,
) => Promise<IssuedTokens>

/** @throws OAuthError `unauthorized_client` */
export function checkGrant({ grants }: Client, grant: Grant): void {
  if (!grants.includes(grant)) {
    throw new OAuthError('unauthorized_client', `This client is not registered for the grant ${grant}`)
  }
}

export interface FirstTokens {
  client: Client
  subject: Subject
  scopes: string[]
  issuedAfterMs: number
  /** From `findFamilySlot`. */
  slot: string | undefined
}

/** Where the family of the first tokens is to be stored; undefined for a client that gets no refresh tokens. */
export async function findFamilySlot(
  { families }: Pick<GrantContext, 'families'>,
  { client, subject }: Pick<FirstTokens, 'client' | 'subject'>,
): Promise<string | undefined> {
  return client.grants.includes('refresh_token')
    ? families.findSlot({ clientId: client.id, subject }, false)
    : undefined
}

/** The first tokens of a sign-in or of a device's request. */
export async function issueFirstTokens(
  { families, accessTokens }: Pick<GrantContext, 'families' | 'accessTokens'>,
  { client, subject, scopes, issuedAfterMs, slot }: FirstTokens,
): Promise<{ familyId: string; tokens: IssuedTokens }> {
  if (slot !== undefined) {
    const { familyId, pair } = await families.create({ slot, clientId: client.id, subject, scopes, issuedAfterMs })
    return { familyId, tokens: pair }
  }
  const familyId = randomSecret(16)
  const { token, expiresAtMs } = await accessTokens.issue({
    subject,
    clientId: client.id,
    scopes,
    familyId,
    generation: 0,
    issuedAfterMs,
  })
  return { familyId, tokens: { accessToken: token, expiresAtMs, scopes } }
}
