/** Adds the entries of a seed to the directory. Existing records are not changed, so a seed can be applied again. */
import { createHash } from 'node:crypto'
import { auditConsent } from '../admin/sensors/audit-consent.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { SettingsError } from '../errors.ts'
import type { Audit } from '../identity/audit.ts'
import { hashPassword } from '../identity/people/password.ts'
import { toEmail } from '../identity/people/users.ts'
import type { Client, Directory } from '../ports/storage/directory.ts'
import { hashSecret } from '../secrets.ts'
import type { Seed } from './seed-file.ts'

export interface SeedTarget {
  directory: Directory
  devices: DeviceRegistry
  audit: Audit
}

/** @throws SettingsError when an entry contradicts an existing record. */
export async function applySeed(seed: Seed, { directory, devices, audit }: SeedTarget): Promise<void> {
  for (const account of seed.accounts) await directory.insert('account', account)
  for (const user of seed.users) {
    await checkAccount(directory, user.account, `user "${user.email}"`)
    await seedUser(directory, user)
  }
  for (const client of seed.clients) {
    await checkAccount(directory, client.account, `client "${client.id}"`)
    await seedClient(directory, client)
  }
  for (const sensor of seed.sensors) {
    const client = await directory.find('client', sensor.client)
    if (!client)
      throw new SettingsError(`Sensor "${sensor.localId}" names the client "${sensor.client}", which does not exist`)
    const { localId, name } = sensor
    const before = await devices.findByLocalId(client.accountId, localId)
    const device = await devices.register({ client, localId, ...(name !== undefined && { name }) })
    checkSame(`sensor "${localId}" of account "${client.accountId}"`, 'client', device.clientId, client.id)
    // It may have registered itself before.
    if (device.pairing === 'later') await devices.allowPairing(device.id)
    if (!before || before.pairing === 'later') await auditConsent(device, { devices, audit })
  }
}

async function seedUser(directory: Directory, { email, password, account }: Seed['users'][number]): Promise<void> {
  const normal = toEmail(email)
  const [existing] = await directory.list('user', { where: { index: 'email', equals: normal }, limit: 1 })
  // Hashing a password takes a large part of a second, so existing users are skipped first.
  if (existing) return checkSame(`user "${email}"`, 'account', existing.accountId, account)
  const id = `user-${createHash('sha256').update(normal).digest('hex').slice(0, 24)}`
  await directory.insert('user', {
    id,
    email: normal,
    passwordHash: await hashPassword(password),
    accountId: account,
    disabled: false,
  })
}

async function seedClient(
  directory: Directory,
  { secret, account, urnPart, ...client }: Seed['clients'][number],
): Promise<void> {
  const record: Client = {
    ...client,
    accountId: account,
    secretHashes: secret === undefined ? [] : [hashSecret(secret)],
    disabled: false,
    urnPart: urnPart ?? client.id,
  }
  const existing = await directory.find('client', record.id)
  if (existing) return checkSame(`client "${record.id}"`, 'account', existing.accountId, account)
  const [owner] = (await directory.list('client', { where: { index: 'urnPart', equals: record.urnPart } })).filter(
    ({ accountId }) => accountId !== account,
  )
  if (owner)
    throw new SettingsError(
      `The URN part "${record.urnPart}" of client "${record.id}" already belongs to the account "${owner.accountId}"`,
    )
  await directory.insert('client', record)
}

function checkSame(who: string, what: string, found: string, given: string): void {
  if (found !== given) throw new SettingsError(`The ${who} already exists, with the ${what} "${found}", not "${given}"`)
}

async function checkAccount(directory: Directory, accountId: string, who: string): Promise<void> {
  if (!(await directory.find('account', accountId))) {
    throw new SettingsError(`The ${who} names the account "${accountId}", which does not exist`)
  }
}
