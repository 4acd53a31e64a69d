/** Adds the entries of a seed to the directory. Existing records are not changed, so a seed can be applied again. */
import { isDeepStrictEqual } from 'node:util'
import { addAccount } from '../admin/account-admin.ts'
import { AdminError } from '../admin/admin-error.ts'
import { addClient } from '../admin/client-admin.ts'
import { auditConsent } from '../admin/sensors/audit-consent.ts'
import { addSensor } from '../admin/sensors/sensor-admin.ts'
import { addUser, findUser } from '../admin/user-admin.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError, SettingsError } from '../errors.ts'
import type { Audit } from '../identity/audit.ts'
import { toEmail } from '../identity/people/users.ts'
import type { Clock } from '../ports/clock.ts'
import type { Directory } from '../ports/storage/directory.ts'
import { hashSecret } from '../secrets.ts'
import type { Seed } from './seed-file.ts'
import type { SeededEntry } from './seed-report.ts'

const maxAttempts = 5
const betweenAttemptsMs = 1_000

export interface SeedTarget {
  directory: Directory
  clock: Clock
  devices: DeviceRegistry
  audit: Audit
}

/**
 * Resolves with what became of each entry.
 *
 * @throws SettingsError when an entry contradicts an existing record.
 */
export async function applySeed(seed: Seed, target: SeedTarget): Promise<SeededEntry[]> {
  const { directory } = target
  const entries: SeededEntry[] = []
  const apply = async (...entry: Parameters<typeof add>) => {
    entries.push(await patiently(target.clock, () => add(...entry)))
  }
  for (const account of seed.accounts) {
    const compare = async () => toDifference(await directory.find('account', account.id), account)
    await apply(`account ${account.id}`, () => addAccount(account, directory), compare)
  }
  for (const user of seed.users) {
    const compare = async () => {
      checkSame(`user "${user.email}"`, 'account', (await findUser(user.email, directory))?.accountId, user.account)
      // Passwords are not compared: hashing one takes a large part of a second.
      return {}
    }
    await apply(`user ${toEmail(user.email)}`, () => addUser(user, directory), compare)
  }
  for (const client of seed.clients) {
    const compare = () => compareClient(client, directory)
    await apply(`client ${client.id}`, () => addClient(client, target), compare)
  }
  for (const sensor of seed.sensors) {
    const compare = () => compareSensor(sensor, target)
    await apply(`sensor ${sensor.localId}`, () => addSensor(sensor, target), compare)
  }
  return entries
}

/** A storage that does not answer for a moment does not end the start. An entry may be added again. */
async function patiently<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isAway = error instanceof ApiError && error.code === 'unavailable'
      if (!isAway || attempt === maxAttempts) throw error
      await clock.sleep(betweenAttemptsMs)
    }
  }
}

type Comparison = Partial<Pick<SeededEntry, 'outcome' | 'detail'>>

/** @param compare Called when the record exists. Returns `undefined` if only something that it has is taken. */
async function add(
  name: string,
  addRecord: () => Promise<unknown>,
  compare: () => Promise<Comparison | undefined>,
): Promise<SeededEntry> {
  try {
    await addRecord()
    return { name, outcome: 'created' }
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    const comparison = error.code === 'taken' ? await compare() : undefined
    if (comparison) return { name, outcome: 'unchanged', ...comparison }
    throw new SettingsError(`The ${name} of the seed: ${error.message}`, { cause: error })
  }
}

async function compareClient(
  { secret, account, reuseTrustedUrnPart: _, ...client }: Seed['clients'][number],
  directory: Directory,
): Promise<Comparison> {
  const existing = await directory.find('client', client.id)
  checkSame(`client "${client.id}"`, 'account', existing?.accountId, account)
  const isSecretKnown = secret === undefined || existing?.secretHashes.includes(hashSecret(secret))
  return toDifference(existing, { urnPart: client.id, ...client, ...(!isSecretKnown && { secret }) })
}

async function compareSensor(
  { localId, client: clientId, name }: Seed['sensors'][number],
  { directory, devices, audit }: SeedTarget,
): Promise<Comparison | undefined> {
  const client = await directory.find('client', clientId)
  const device = client && (await devices.findByLocalId(client.accountId, localId))
  if (!device) return undefined
  checkSame(`sensor "${localId}" of account "${client.accountId}"`, 'client', device.clientId, clientId)
  if (device.pairing !== 'later') return toDifference(device, name === undefined ? {} : { name })
  // It has registered itself before.
  await auditConsent(await devices.allowPairing(device.id), { devices, audit })
  return { outcome: 'changed', detail: 'it may be paired now' }
}

/** Names the members in which the record differs from the seed. */
function toDifference(record: object | undefined, given: object): Comparison {
  const differing = Object.entries(given)
    .filter(([member, value]) => !isDeepStrictEqual(Reflect.get(record ?? {}, member), value))
    .map(([member]) => member)
  return differing.length === 0 ? {} : { outcome: 'differing', detail: differing.join(', ') }
}

function checkSame(who: string, what: string, found: string | undefined, given: string): void {
  if (found !== given) throw new SettingsError(`The ${who} already exists, with the ${what} "${found}", not "${given}"`)
}
