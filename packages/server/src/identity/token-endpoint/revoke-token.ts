/**
 * Token revocation (RFC 7009): a refresh token ends its family, an access token ends alone.
 * In: the form and its caller. Out: nothing. An unknown token, or another client's, is not an error (§2.2).
 */

import type { AuthenticateCaller, TokenEndpointRequest } from './authenticate-caller.ts'
import { checkProof } from './client-authentication.ts'
import type { Form } from './form.ts'
import type { GrantContext } from './grant.ts'

export type RevokeToken = (form: Form, by: TokenEndpointRequest) => Promise<void>

export interface RevokeTokenOptions extends Pick<GrantContext, 'families' | 'accessTokens' | 'audit'> {
  authenticate: AuthenticateCaller
}

export function createRevokeToken(options: RevokeTokenOptions): RevokeToken {
  const { authenticate, families, accessTokens, audit } = options

  return async (form, by) => {
    const caller = await authenticate(form, by)
    const clientId = caller.client.id
    const token = form.get('token')
    const family = await families.find(token)
    const ownFamily = family?.clientId === clientId ? family : undefined
    // A paired device has no secret: its refresh token and the client's ID suffice.
    if (!ownFamily?.paired) checkProof(caller)
    if (ownFamily) {
      await families.revoke(ownFamily.id, ownFamily)
      audit({ event: 'revoked', revocation: { kind: 'family', familyId: ownFamily.id }, clientId })
      return
    }
    const principal = family ? undefined : await accessTokens.find(token)
    if (principal?.clientId !== clientId) return
    const revocation = { kind: 'token', tokenId: principal.tokenId } as const
    await accessTokens.revoke(principal)
    audit({ event: 'revoked', revocation, clientId })
  }
}
