/**
 * Device tokens for intelligent clients (specification, "Device token request"; RFC 6749 §4.4).
 * The sensor must belong to the client. A request by a partner registers an unknown sensor.
 */
import { isLocalId, toUrn } from '../../devices/local-id.ts'
import type { Client, DeviceRecord } from '../../ports/storage/directory.ts'
import { OAuthError } from '../oauth-error.ts'
import { subjectsOf } from '../revocation/revocation-subject.ts'
import { findForeignScope, toScopes } from '../tokens/scope.ts'
import { type Caller, checkProof } from './client-authentication.ts'
import type { Form } from './form.ts'
import { checkGrant, findFamilySlot, type GrantContext, type IssueByGrant, issueFirstTokens } from './grant.ts'

export const issueByClientCredentials: IssueByGrant = async (form, authenticate, context) => {
  const { client, device, familyId, tokens } = await context.revocations.issue({
    async read() {
      const caller = await authenticate()
      const { client } = caller
      checkCaller(caller)
      checkTokenFormat(form)
      const scopes = toDeviceScopes(form.find('scope'), client)
      const device = await getDevice(form.get('device_id'), client, context)
      const subject = { kind: 'device', deviceUrn: device.id } as const
      const slot = await findFamilySlot(context, { client, subject })
      return { client, device, scopes, subject, slot, subjects: subjectsOf(client.id, subject) }
    },
    async write({ device, ...allowed }, issuedAfterMs) {
      return { client: allowed.client, device, ...(await issueFirstTokens(context, { ...allowed, issuedAfterMs })) }
    },
    discard: ({ familyId }) => context.families.discard(familyId),
  })
  context.audit({
    event: 'tokens-issued',
    grant: 'client_credentials',
    clientId: client.id,
    subject: device.id,
    familyId,
  })
  return tokens
}

function checkCaller(caller: Caller): void {
  checkProof(caller)
  checkGrant(caller.client, 'client_credentials')
  // RFC 6749 §4.4: the grant is for clients that can authenticate.
  if (caller.proof === 'public') {
    throw new OAuthError('unauthorized_client', 'A client without a secret cannot use the grant client_credentials')
  }
}

function checkTokenFormat(form: Form): void {
  const tokenFormat = form.find('token_format')
  if (tokenFormat !== undefined && tokenFormat !== 'jwt') {
    throw new OAuthError('invalid_request', '"token_format" must be jwt')
  }
}

function toDeviceScopes(asked: string | undefined, client: Client): string[] {
  const scopes = asked === undefined ? client.scopes : toScopes(asked)
  const foreign = findForeignScope(scopes, client.scopes)
  if (foreign !== undefined) {
    throw new OAuthError('invalid_scope', `The client is not registered for the scope '${foreign}'`)
  }
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'The scope is empty')
  return scopes
}

/** @throws OAuthError `invalid_request`, with the same message for an unregistered sensor and for another account's. */
async function getDevice(
  localId: string,
  client: Client,
  { devices, sensorIdPolicy }: Pick<GrantContext, 'devices' | 'sensorIdPolicy'>,
): Promise<DeviceRecord> {
  if (!isLocalId(localId, sensorIdPolicy)) {
    throw new OAuthError('invalid_request', '"device_id" must be a local sensor ID: 1 to 255 letters and digits')
  }
  // The URN takes one read. A sensor registered under another URN part needs a search.
  const named = await devices.find(toUrn(client.urnPart, localId))
  const isOwn = named?.accountId === client.accountId
  const registered = isOwn ? named : await devices.findByLocalId(client.accountId, localId)
  const device = registered ?? (client.partner ? await registerItself(localId, client, devices) : undefined)
  if (device?.clientId !== client.id) {
    throw new OAuthError('invalid_request', '"device_id" is not registered for this client')
  }
  if (device.blocked) throw new OAuthError('invalid_request', '"device_id" is blocked')
  return device
}

/** A partner's sensors need no operator, so their number has a limit: about 100 MB. */
const maxOfPartner = 100_000

async function registerItself(
  localId: string,
  client: Client,
  devices: GrantContext['devices'],
): Promise<DeviceRecord> {
  const hasRoom = await devices.hasRoom(client.accountId, { limit: maxOfPartner, more: 1 })
  if (hasRoom) return devices.registerItself({ client, localId })
  const headers = { 'Retry-After': '3600' }
  throw new OAuthError(
    'temporarily_unavailable',
    `The account has ${maxOfPartner} sensors; ask the operator for more`,
    {
      status: 429,
      headers,
    },
  )
}
