/**
 * Clients, as an operator works on them.
 * In: checked entries. Out: views, and a secret once, when it is made; AdminError for what contradicts.
 */
import { hashSecret } from '../identity/secrets.ts'
import type { Client, Directory } from '../ports/directory.ts'
import { checkAccount } from './account-admin.ts'
import { AdminError } from './admin-error.ts'
import type { ClientEntry } from './entries.ts'
import type { Revoke } from './revoke.ts'
import { whereAccount } from './user-admin.ts'
import { type ClientView, toClientView } from './views.ts'

export interface ClientAdmin {
  add(entry: ClientEntry): Promise<ClientView>
  list(options?: { account?: string | undefined }): Promise<ClientView[]>
  /** Gets no tokens any more, and those that it got end. */
  disable(clientId: string): Promise<ClientView>
  enable(clientId: string): Promise<ClientView>
  /** The earlier secret stays valid beside the new one until it is dropped; at once when `dropOld`. */
  rotateSecret(clientId: string, secret: string, options?: { dropOld?: boolean }): Promise<ClientView>
  /** Leaves the newest secret only. */
  dropSecret(clientId: string): Promise<ClientView>
}

export function clientAdmin({ directory, revoke }: { directory: Directory; revoke: Revoke }): ClientAdmin {
  /** @throws AdminError also what `change` throws. */
  async function change(clientId: string, change: (current: Client) => Client): Promise<ClientView> {
    const changed = await directory.update('client', clientId, change)
    if (changed) return toClientView(changed)
    throw unknownClient(clientId)
  }

  return {
    async add({ secret, account, urnPart, ...entry }) {
      await checkAccount(directory, account)
      const client: Client = {
        ...entry,
        accountId: account,
        secretHashes: secret === undefined ? [] : [hashSecret(secret)],
        urnPart: urnPart ?? entry.id,
        disabled: false,
      }
      // First, since the URN part of a client that is there is taken as well.
      if (await directory.find('client', client.id)) throw taken(client.id)
      await checkUrnPart(directory, client)
      if (await directory.insert('client', client)) return toClientView(client)
      throw taken(client.id)
    },
    async list({ account } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      return (await directory.list('client', whereAccount(account))).map(toClientView)
    },
    async disable(clientId) {
      const client = await change(clientId, (current) => ({ ...current, disabled: true }))
      await revoke(`client:${clientId}`)
      return client
    },
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
            `The client "${clientId}" has one secret only; rotate-secret gives it a second`,
          )
        }
        return { ...current, secretHashes: current.secretHashes.slice(0, 1) }
      }),
  }
}

/**
 * The `<client_part>` of URNs belongs to one account.
 *
 * @throws AdminError `conflict`
 */
async function checkUrnPart(directory: Directory, { urnPart, accountId }: Client): Promise<void> {
  const clients = await directory.list('client', { where: { index: 'urnPart', equals: urnPart } })
  const owner = clients.find((client) => client.accountId !== accountId)
  if (!owner) return
  throw new AdminError(
    'conflict',
    `The URN part "${urnPart}" belongs to the account "${owner.accountId}"; give another with --urn-part`,
  )
}

export function unknownClient(clientId: string): AdminError {
  return new AdminError(
    'not_found',
    `There is no client "${clientId}"; "posrep-server clients list" shows those there are`,
  )
}

function taken(clientId: string): AdminError {
  return new AdminError('taken', `The client "${clientId}" exists already; choose another id`)
}

function checkHasSecret({ id, secretHashes }: Client): void {
  if (secretHashes.length > 0) return
  throw new AdminError('conflict', `The client "${id}" is public: it has no secret`)
}

function twoSecrets(clientId: string): AdminError {
  return new AdminError(
    'conflict',
    `The client "${clientId}" has two secrets already; drop the old one first: posrep-server clients drop-secret ${clientId}`,
  )
}
