/**
 * The refresh grant (specification, "Token request, refresh grant"; RFC 6749 §6).
 * A dead refresh token is 401 `invalid_grant`, as specified: the user must log in again.
 */
import type { Client } from '../../ports/storage/directory.ts'
import { OAuthError } from '../oauth-error.ts'
import type { RefreshFamily } from '../tokens/refresh-family.ts'
import { isPairedToken } from '../tokens/refresh-token.ts'
import { findForeignScope, toScopes } from '../tokens/scope.ts'
import type { Caller } from './client-authentication.ts'
import { checkProof } from './client-authentication.ts'
import type { Form } from './form.ts'
import { checkGrant, type GrantContext, type IssueByGrant } from './grant.ts'

export const issueByRefreshToken: IssueByGrant = async (form, authenticate, context) => {
  const caller = await authenticate()
  const { client } = caller
  const refreshToken = form.get('refresh_token')
  const found = await context.families.find(refreshToken)
  const family = found?.clientId === client.id ? found : undefined
  checkCaller(caller, family?.paired ?? isPairedToken(refreshToken))
  if (!family) throw deadRefreshToken()

  const scopes = toRefreshedScopes(form, family, client)
  const subject = family.subject.kind === 'user' ? family.subject.userId : family.subject.deviceUrn
  const details = { clientId: client.id, subject, familyId: family.id }
  if (!(await hasLivingSubject(family, context))) {
    await context.families.revoke(family.id, family)
    context.audit({ event: 'refresh-refused', ...details })
    throw deadRefreshToken()
  }
  const rotation = await context.families.rotate(refreshToken, { family, scopes })
  switch (rotation.kind) {
    case 'rotated':
      context.audit({ event: 'refreshed', ...details })
      return rotation.pair
    case 'repeated':
      context.audit({ event: 'refresh-repeated', ...details })
      return rotation.pair
    case 'replayed':
      context.audit({ event: 'refresh-replayed', ...details })
      throw deadRefreshToken()
    case 'dead':
      context.audit({ event: 'refresh-refused', ...details })
      throw deadRefreshToken()
  }
}

/**
 * A headless sensor has no secret: its paired token and its client's ID suffice, because the token changes at each use.
 */
function checkCaller(caller: Caller, isPaired: boolean): void {
  if (isPaired) return
  checkProof(caller)
  checkGrant(caller.client, 'refresh_token')
}

/** The granted scopes, or the requested part of them; never more than the client is registered for today. */
function toRefreshedScopes(form: Form, family: RefreshFamily, client: Client): string[] {
  const asked = form.find('scope')
  const scopes = asked === undefined ? family.scopes : toScopes(asked)
  const foreign = findForeignScope(scopes, family.scopes)
  if (foreign !== undefined) {
    throw new OAuthError('invalid_scope', `A refresh cannot add scopes to those that were granted: '${foreign}'`)
  }
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'The scope is empty')
  const allowed = family.paired ? scopes : scopes.filter((scope) => client.scopes.includes(scope))
  if (allowed.length === 0) {
    throw new OAuthError(
      'invalid_scope',
      `The client is no longer registered for the scope '${findForeignScope(scopes, [])}'`,
    )
  }
  return allowed
}

async function hasLivingSubject(
  family: RefreshFamily,
  { directory, devices, pairedFamilies }: GrantContext,
): Promise<boolean> {
  const { subject } = family
  if (subject.kind === 'user') {
    const user = await directory.find('user', subject.userId)
    return user?.accountId === subject.accountId && !user.disabled
  }
  const device = await devices.find(subject.deviceUrn)
  if (device?.clientId !== family.clientId || device.blocked) return false
  return !family.paired || (await pairedFamilies.keep(family, device.id))
}

function deadRefreshToken(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is no longer valid; log in again', { status: 401 })
}
