/**
 * Operator commands on OAuth clients.
 * In: validated entries and secrets. Out: views without secrets; AdminError for conflicts.
 */

import type { Revocations } from '../identity/revocation/revocations.ts'
import type { Clock } from '../ports/clock.ts'
import type { Client, Directory } from '../ports/storage/directory.ts'
import { hashSecret } from '../secrets.ts'
import { checkAccount } from './account-admin.ts'
import { AdminError } from './admin-error.ts'
import { type ClientChange, type ClientEntry, type EntryRules, findClientProblem } from './entries.ts'
import { findFormerUrnPart, recordFormerUrnPart } from './former-owners.ts'
import { removeAll, whereAccount } from './owned-records.ts'
import { type ClientView, toClientView } from './views.ts'

export interface ClientAdmin {
  add(entry: ClientEntry): Promise<ClientView>
  list(options?: { account?: string | undefined }): Promise<ClientView[]>
  /** Tokens are revoked when the client loses a grant or a scope. */
  update(clientId: string, change: ClientChange): Promise<ClientView>
  /** The client gets no more tokens, and the tokens that it has are revoked. */
  disable(clientId: string): Promise<ClientView>
  enable(clientId: string): Promise<ClientView>
  /** The old secret stays valid beside the new one until `dropSecret`; with `dropOld` it ends at once. */
  rotateSecret(clientId: string, secret: string, options?: { dropOld?: boolean }): Promise<ClientView>
  /** Removes all secrets except the newest. */
  dropSecret(clientId: string): Promise<ClientView>
  /** Its tokens are revoked and its users' approvals deleted. Refused while it has sensors. */
  remove(clientId: string): Promise<ClientView>
}

export interface ClientAdminOptions {
  directory: Directory
  clock: Clock
  revoke: Revocations['revoke']
  rules: EntryRules
}

export function clientAdmin({ directory, clock, revoke, rules }: ClientAdminOptions): ClientAdmin {
  /** @throws AdminError `not_found`, and what `change` throws. */
  async function change(clientId: string, change: (current: Client) => Client): Promise<ClientView> {
    const changed = await directory.update('client', clientId, change)
    if (changed) return toClientView(changed)
    throw unknownClient(clientId)
  }

  /** Changes the record before it revokes, so that tokens issued in between are revoked too. */
  async function disable(clientId: string): Promise<ClientView> {
    const client = await change(clientId, (current) => ({ ...current, disabled: true }))
    await revoke(`client:${clientId}`)
    return client
  }

  /** @throws AdminError `conflict` */
  async function checkHasNoSensors(clientId: string): Promise<void> {
    const [sensor] = await directory.list('device', { where: { index: 'clientId', equals: clientId }, limit: 1 })
    if (!sensor) return
    throw new AdminError(
      'conflict',
      `The client "${clientId}" has sensors, such as "${sensor.id}"; remove them first: posrep-server sensors list --client ${clientId}`,
    )
  }

  return {
    add: (entry) => addClient(entry, { directory, clock }),
    async list({ account } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      return (await directory.list('client', whereAccount(account))).map(toClientView)
    },
    async update(clientId, changes) {
      let isNarrower = false
      const client = await change(clientId, (current) => {
        const next = { ...current, ...changes }
        // Redirect URIs that are kept may have been allowed by the setting of another start.
        checkClient(next, changes.redirectUris || changes.origins ? rules : { ...rules, allowLoopbackRedirects: true })
        isNarrower = hasLost(current.grants, next.grants) || hasLost(current.scopes, next.scopes)
        return next
      })
      if (isNarrower) await revoke(`client:${clientId}`)
      return client
    },
    disable,
    enable: (clientId) => change(clientId, (current) => ({ ...current, disabled: false })),
    rotateSecret: (clientId, secret, { dropOld = false } = {}) =>
      change(clientId, (current) => {
        checkHasSecret(current)
        if (!dropOld && current.secretHashes.length > 1) throw twoSecrets(clientId)
        return { ...current, secretHashes: [hashSecret(secret), ...(dropOld ? [] : current.secretHashes)] }
      }),
    dropSecret: (clientId) =>
      change(clientId, (current) => {
        checkHasSecret(current)
        if (current.secretHashes.length === 1) {
          throw new AdminError(
            'conflict',
            `The client "${clientId}" has only one secret; to add one: posrep-server clients rotate-secret ${clientId}`,
          )
        }
        return { ...current, secretHashes: current.secretHashes.slice(0, 1) }
      }),
    async remove(clientId) {
      await checkHasNoSensors(clientId)
      // Disables first: if this process dies here, no valid token is left, and the command can be repeated.
      const client = await disable(clientId)
      // A partner's sensor may have registered itself until then.
      await checkHasNoSensors(clientId)
      await removeAll(directory, 'consent', { index: 'clientId', equals: clientId })
      const record = await directory.find('client', clientId)
      if (record) await recordFormerUrnPart(record, { directory, clock })
      await directory.remove('client', clientId)
      return client
    },
  }
}

/** @throws AdminError `not_found` for the account, `taken`, or `conflict` for the URN part */
export async function addClient(
  { secret, account, urnPart, reuseTrustedUrnPart = false, ...entry }: ClientEntry,
  { directory, clock }: Pick<ClientAdminOptions, 'directory' | 'clock'>,
): Promise<ClientView> {
  await checkAccount(directory, account)
  const client: Client = {
    ...entry,
    accountId: account,
    secretHashes: secret === undefined ? [] : [hashSecret(secret)],
    urnPart: urnPart ?? entry.id,
    disabled: false,
  }
  // Checked before the URN part, because the URN part of an existing client is taken too.
  if (await directory.find('client', client.id)) throw taken(client.id)
  await checkUrnPart(directory, client)
  const reason = reuseTrustedUrnPart ? undefined : await findFormerUrnPart(client, { directory, clock })
  if (reason !== undefined) throw formerUrnPart(client.urnPart, reason)
  if (await directory.insert('client', client)) return toClientView(client)
  throw taken(client.id)
}

/** @throws AdminError `conflict` */
function checkClient(client: Client, rules: EntryRules): void {
  const problem = findClientProblem({ ...client, secret: client.secretHashes[0] }, rules)
  if (!problem) return
  throw new AdminError('conflict', `Nothing was changed about the client "${client.id}": ${problem.message}`)
}

function hasLost<T>(before: T[], after: T[]): boolean {
  return before.some((one) => !after.includes(one))
}

/** Checks that no other account uses the URN part. @throws AdminError `conflict` */
async function checkUrnPart(directory: Directory, { urnPart, accountId }: Client): Promise<void> {
  const clients = await directory.list('client', { where: { index: 'urnPart', equals: urnPart } })
  const owner = clients.find((client) => client.accountId !== accountId)
  if (!owner) return
  throw new AdminError(
    'conflict',
    `The URN part "${urnPart}" belongs to the account "${owner.accountId}"; choose another with --urn-part or "urnPart"`,
  )
}

function formerUrnPart(urnPart: string, reason: string): AdminError {
  return new AdminError(
    'conflict',
    `The URN part "${urnPart}" ${reason}; choose another with --urn-part or "urnPart", or accept that with --reuse-trusted-urn-part or "reuseTrustedUrnPart": true`,
  )
}

export function unknownClient(clientId: string): AdminError {
  return new AdminError(
    'not_found',
    `There is no client "${clientId}"; to list the clients: posrep-server clients list`,
  )
}

function taken(clientId: string): AdminError {
  return new AdminError('taken', `The client "${clientId}" already exists; choose another id`)
}

function checkHasSecret({ id, secretHashes }: Client): void {
  if (secretHashes.length > 0) return
  throw new AdminError('conflict', `The client "${id}" is public and has no secret`)
}

function twoSecrets(clientId: string): AdminError {
  return new AdminError(
    'conflict',
    `The client "${clientId}" already has two secrets; drop the old one first: posrep-server clients drop-secret ${clientId}`,
  )
}
