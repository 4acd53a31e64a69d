/** The HTTP face of the identity provider; the rules are in the grants, in `authorize.ts` and in `interaction.ts`. */
import type { Jwk } from '@posrep/spec'
import { ApiError } from '../errors.ts'
import type { Answer, Handlers, OperationRequest } from '../http/operation.ts'
import { createThrottle, toCaller } from '../http/throttle.ts'
import type { Clock } from '../ports/clock.ts'
import { type AuthorizeContext, authorize } from './authorize.ts'
import { authenticateClient, checkProof } from './client-authentication.ts'
import { type Form, readForm } from './form.ts'
import { issueByCode } from './grants/authorization-code.ts'
import { issueByClientCredentials } from './grants/client-credentials.ts'
import type { GrantContext, IssueByGrant, IssuedTokens } from './grants/grant.ts'
import { issueByRefreshToken } from './grants/refresh-token.ts'
import { toMetadata } from './metadata.ts'
import { noStore, OAuthError, supportedGrants } from './oauth-error.ts'
import { toErrorPage } from './pages/error.tsx'
import { type Revocation, toRevocationSubject } from './revocation-subject.ts'
import type { Revocations } from './revocations.ts'
import { hashSecret } from './secrets.ts'

export type IdentityOperations = Pick<
  Handlers,
  'authorize' | 'issueToken' | 'revokeToken' | 'getAuthorizationServerMetadata' | 'getJwks'
>

export interface IdentityOperationsOptions {
  authorizeContext: AuthorizeContext
  grantContext: GrantContext
  revocations: Pick<Revocations, 'beginIssue' | 'revoke'>
  clock: Clock
  publicJwks: () => Jwk[]
}

const grants = new Map<string, IssueByGrant>([
  ['authorization_code', issueByCode],
  ['refresh_token', issueByRefreshToken],
  ['client_credentials', issueByClientCredentials],
])

/** A request is looked at anew when something that it rests on was revoked while it was. */
const maxRounds = 3

/** More than any client id has; what is sent in its place may be long, and the log is not to grow by it. */
const maxNotedLength = 100

/** Public keys and metadata may be kept for a while; keys are published before they are used. */
const cacheable = { 'Cache-Control': 'public, max-age=300' }

export function identityOperations(options: IdentityOperationsOptions): IdentityOperations {
  const { authorizeContext, grantContext, revocations, clock, publicJwks } = options
  const { directory, families, accessTokens, audit } = grantContext
  const metadata = toMetadata(authorizeContext.authOrigin)

  /** Right secrets always pass; wrong ones are 429 once there were too many of them. */
  const failures = createThrottle({ clock, limit: 100, windowMs: 60_000, message: 'Too many failed authentications' })

  function authenticate(form: Form, { headers, address }: Pick<OperationRequest<'issueToken'>, 'headers' | 'address'>) {
    return authenticateClient(form, headers.authorization, directory, (clientId) => {
      audit({ event: 'client-refused', clientId: clientId.slice(0, maxNotedLength), address })
      const key = `${toCaller(address)} ${hashSecret(clientId)}`
      failures.check(key)
      failures.count(key)
    })
  }

  function noteRevoked(revocation: Revocation, clientId: string): void {
    audit({ event: 'revoked', revocation, clientId })
  }

  async function revokeToken(tokenId: string, clientId: string): Promise<void> {
    const revocation = { kind: 'token', tokenId } as const
    await revocations.revoke(toRevocationSubject(revocation))
    noteRevoked(revocation, clientId)
  }

  return {
    async authorize(request) {
      const page = await authorize(request, authorizeContext).catch(toErrorPage)
      // `PageAnswer` has every status of the pages; this operation gives only those that the document has for it.
      return page as Answer<'authorize'>
    },

    async issueToken(request) {
      const form = readForm(request.body)
      const grant = grants.get(form.get('grant_type'))
      if (!grant) {
        throw new OAuthError('unsupported_grant_type', supportedGrants)
      }
      for (let round = 0; round < maxRounds; round++) {
        const stampFor = revocations.beginIssue()
        const tokens = await grant(form, await authenticate(form, request), { ...grantContext, stampFor })
        if (!tokens) continue
        return { status: 200, headers: noStore, body: toTokenResponse(tokens, form.find('state'), clock.now()) }
      }
      throw new ApiError('unavailable', 'What the request rests on is being revoked again and again; try again shortly')
    },

    async revokeToken(request) {
      const form = readForm(request.body)
      const caller = await authenticate(form, request)
      const token = form.get('token')
      const family = await families.find(token)
      const ownFamily = family?.clientId === caller.client.id ? family : undefined
      if (!ownFamily?.paired) checkProof(caller)
      if (ownFamily) {
        await families.revoke(ownFamily.id)
        noteRevoked({ kind: 'family', familyId: ownFamily.id }, caller.client.id)
      } else if (!family) {
        const principal = await accessTokens.find(token)
        if (principal?.clientId === caller.client.id) await revokeToken(principal.tokenId, caller.client.id)
      }
      // RFC 7009 §2.2: unknown tokens, and another client's, are answered the same.
      return { status: 200, headers: noStore, body: {} }
    },

    async getAuthorizationServerMetadata() {
      return { status: 200, headers: cacheable, body: metadata }
    },

    async getJwks() {
      return { status: 200, headers: cacheable, body: { keys: publicJwks() } }
    },
  }
}

function toTokenResponse(
  { accessToken, expiresAtMs, refreshToken, scopes }: IssuedTokens,
  state: string | undefined,
  nowMs: number,
) {
  return {
    access_token: accessToken,
    token_type: 'bearer' as const,
    expires_in: Math.max(1, Math.ceil((expiresAtMs - nowMs) / 1000)),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(state !== undefined && { state }),
    scope: scopes.join(' '),
  }
}
