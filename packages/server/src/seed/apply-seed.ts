/** Adds the entries of a seed to the directory. Existing records are not changed, so a seed can be applied again. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { auditConsent } from '../admin/sensors/audit-consent.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { SettingsError } from '../errors.ts'
import type { Audit } from '../identity/audit.ts'
import { hashPassword } from '../identity/people/password.ts'
import { toEmail } from '../identity/people/users.ts'
import type { Client, Directory } from '../ports/storage/directory.ts'
import { hashSecret } from '../secrets.ts'
import type { Seed } from './seed-file.ts'
import type { SeededEntry } from './seed-report.ts'

export interface SeedTarget {
  directory: Directory
  devices: DeviceRegistry
  audit: Audit
}

/**
 * Resolves with what became of each entry.
 *
 * @throws SettingsError when an entry contradicts an existing record.
 */
export async function applySeed(seed: Seed, { directory, devices, audit }: SeedTarget): Promise<SeededEntry[]> {
  const entries: SeededEntry[] = []
  for (const account of seed.accounts) entries.push(await seedAccount(directory, account))
  for (const user of seed.users) {
    await checkAccount(directory, user.account, `user "${user.email}"`)
    entries.push(await seedUser(directory, user))
  }
  for (const client of seed.clients) {
    await checkAccount(directory, client.account, `client "${client.id}"`)
    entries.push(await seedClient(directory, client))
  }
  for (const sensor of seed.sensors) entries.push(await seedSensor({ directory, devices, audit }, sensor))
  return entries
}

async function seedAccount(directory: Directory, account: Seed['accounts'][number]): Promise<SeededEntry> {
  const name = `account ${account.id}`
  if (await directory.insert('account', account)) return { name, outcome: 'created' }
  return toExisting(name, await directory.find('account', account.id), account)
}

async function seedUser(
  directory: Directory,
  { email, password, account }: Seed['users'][number],
): Promise<SeededEntry> {
  const normal = toEmail(email)
  const name = `user ${normal}`
  const [existing] = await directory.list('user', { where: { index: 'email', equals: normal }, limit: 1 })
  // Hashing a password takes a large part of a second, so existing users are skipped first, and passwords are not compared.
  if (existing) {
    checkSame(`user "${email}"`, 'account', existing.accountId, account)
    return { name, outcome: 'unchanged' }
  }
  const id = `user-${createHash('sha256').update(normal).digest('hex').slice(0, 24)}`
  await directory.insert('user', {
    id,
    email: normal,
    passwordHash: await hashPassword(password),
    accountId: account,
    disabled: false,
  })
  return { name, outcome: 'created' }
}

async function seedClient(
  directory: Directory,
  { secret, account, urnPart, ...client }: Seed['clients'][number],
): Promise<SeededEntry> {
  const name = `client ${client.id}`
  const record: Client = {
    ...client,
    accountId: account,
    secretHashes: secret === undefined ? [] : [hashSecret(secret)],
    disabled: false,
    urnPart: urnPart ?? client.id,
  }
  const existing = await directory.find('client', record.id)
  if (existing) {
    checkSame(`client "${record.id}"`, 'account', existing.accountId, account)
    const isSecretKnown = record.secretHashes.every((hash) => existing.secretHashes.includes(hash))
    const given = { ...client, urnPart: record.urnPart, ...(isSecretKnown ? {} : { secret }) }
    return toExisting(name, existing, given)
  }
  const [owner] = (await directory.list('client', { where: { index: 'urnPart', equals: record.urnPart } })).filter(
    ({ accountId }) => accountId !== account,
  )
  if (owner)
    throw new SettingsError(
      `The URN part "${record.urnPart}" of client "${record.id}" already belongs to the account "${owner.accountId}"`,
    )
  await directory.insert('client', record)
  return { name, outcome: 'created' }
}

async function seedSensor(
  { directory, devices, audit }: SeedTarget,
  { localId, client: clientId, name }: Seed['sensors'][number],
): Promise<SeededEntry> {
  const client = await directory.find('client', clientId)
  if (!client) throw new SettingsError(`Sensor "${localId}" names the client "${clientId}", which does not exist`)
  const earlier = await devices.findByLocalId(client.accountId, localId)
  const device = await devices.register({ client, localId, ...(name !== undefined && { name }) })
  checkSame(`sensor "${localId}" of account "${client.accountId}"`, 'client', device.clientId, client.id)
  const entry = `sensor ${localId}`
  if (earlier && device.pairing !== 'later') return toExisting(entry, device, name === undefined ? {} : { name })
  // It may have registered itself before.
  if (device.pairing === 'later') await devices.allowPairing(device.id)
  await auditConsent(device, { devices, audit })
  if (!earlier) return { name: entry, outcome: 'created' }
  return { name: entry, outcome: 'changed', detail: 'it may be paired now' }
}

/** Names the members in which the record differs from the seed. */
function toExisting(name: string, record: object | undefined, given: object): SeededEntry {
  const differing = Object.entries(given)
    .filter(([member, value]) => !isDeepStrictEqual(Reflect.get(record ?? {}, member), value))
    .map(([member]) => member)
  if (differing.length === 0) return { name, outcome: 'unchanged' }
  return { name, outcome: 'differing', detail: differing.join(', ') }
}

function checkSame(who: string, what: string, found: string, given: string): void {
  if (found !== given) throw new SettingsError(`The ${who} already exists, with the ${what} "${found}", not "${given}"`)
}

async function checkAccount(directory: Directory, accountId: string, who: string): Promise<void> {
  if (!(await directory.find('account', accountId))) {
    throw new SettingsError(`The ${who} names the account "${accountId}", which does not exist`)
  }
}
