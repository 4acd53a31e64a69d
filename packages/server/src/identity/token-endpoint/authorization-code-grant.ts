/**
 * The authorization code grant (specification, "Token request, authorization code grant"; RFC 6749 §4.1.3, RFC 7636).
 * A code yields one token pair; a second use of the code ends that pair.
 */

import type { LiveCode } from '../authorize/authorization-code.ts'
import { isCodeVerifier, isVerifierOf } from '../authorize/pkce.ts'
import { OAuthError } from '../oauth-error.ts'
import { subjectsOf } from '../revocation/revocation-subject.ts'
import { checkProof } from './client-authentication.ts'
import { checkGrant, findFamilySlot, type GrantContext, type IssueByGrant, issueFirstTokens } from './grant.ts'

export const issueByCode: IssueByGrant = async (form, authenticate, context) => {
  const caller = await authenticate()
  const { client } = caller
  checkProof(caller)
  checkGrant(client, 'authorization_code')
  const code = form.get('code')
  const redirectUri = form.get('redirect_uri')
  const verifier = form.find('code_verifier')

  const live = await getLiveCode(code, client.id, context)
  if (live.redirectUri !== redirectUri)
    throw new OAuthError('invalid_grant', 'The code was issued for another redirect URI')
  checkVerifier(live.codeChallenge, verifier)

  const user = await context.directory.find('user', live.userId)
  if (!user || user.disabled) throw spentCode()
  const subject = { kind: 'user', userId: user.id, accountId: user.accountId } as const
  const { scopes, issuedAfterMs } = live
  const slot = await findFamilySlot(context, { client, subject })
  // Since the approval, the user may have changed the password or withdrawn the approval.
  const issued = await context.revocations.writeUnlessRevoked(
    { subjects: subjectsOf(client.id, subject), issuedAfterMs },
    {
      async write() {
        // Write the family before spending the code, so that a replay always finds the family to end.
        const first = await issueFirstTokens(context, { client, subject, scopes, issuedAfterMs, slot })
        if (await context.codes.spend(code, live, first.familyId)) return first
        await context.families.discard(first.familyId)
        await getLiveCode(code, client.id, context)
        throw spentCode()
      },
      discard: ({ familyId }) => context.families.discard(familyId),
    },
  )
  if (!issued) throw spentCode()
  const { familyId, tokens } = issued
  context.audit({
    event: 'tokens-issued',
    grant: 'authorization_code',
    clientId: client.id,
    subject: user.id,
    familyId,
  })
  return tokens
}

/** @throws OAuthError `invalid_grant`; when the code's own client presents a spent code, its family ends. */
async function getLiveCode(
  code: string,
  clientId: string,
  { codes, families, audit }: Pick<GrantContext, 'codes' | 'families' | 'audit'>,
): Promise<LiveCode> {
  const record = await codes.find(code)
  if (record?.clientId !== clientId || record.state === 'void') throw spentCode()
  if (record.state === 'live') return record
  const { familyId, userId, issuedAfterMs } = record
  await families.revoke(familyId, { clientId, subject: { kind: 'user', userId }, issuedAfterMs })
  audit({ event: 'code-replayed', clientId, familyId })
  throw spentCode()
}

function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (verifier !== undefined && !isCodeVerifier(verifier)) {
    throw new OAuthError('invalid_request', '"code_verifier" must be 43 to 128 unreserved characters')
  }
  // A verifier without a challenge is a downgrade, too (RFC 9700 §2.1.1).
  if (challenge === null && verifier === undefined) return
  if (challenge === null || verifier === undefined || !isVerifierOf(challenge, verifier)) {
    throw new OAuthError('invalid_grant', 'The code verifier does not match the code challenge')
  }
}

function spentCode(): OAuthError {
  return new OAuthError('invalid_grant', 'The authorization code is unknown, spent or expired')
}
