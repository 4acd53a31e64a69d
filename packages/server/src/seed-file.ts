/**
 * The seed file: accounts, users, clients and sensors to have.
 * In: its text. Out: its entries, each checked alone and against the others; a SettingsError names the place.
 */
import * as v from 'valibot'
import { isLocalId, type SensorIdPolicy } from './devices/local-id.ts'
import { SettingsError } from './errors.ts'
import { isRedirectUri } from './identity/redirect-uri.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"'))
const name = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(200, 'must be at most 200 characters'))
const scope = v.pipe(v.string(), v.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be one scope, without spaces'))

const account = v.strictObject({ id, name })

const user = v.strictObject({
  email: v.pipe(v.string(), v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'), v.maxLength(254, 'is too long')),
  password: v.pipe(
    v.string(),
    v.minLength(8, 'must be at least 8 characters'),
    v.maxLength(256, 'must be at most 256 characters'),
  ),
  account: id,
})

const client = v.strictObject({
  id,
  /** Left out: a public client, which has to use PKCE. */
  secret: v.optional(v.pipe(v.string(), v.minLength(8, 'must be at least 8 characters'))),
  name,
  account: id,
  grants: v.pipe(
    v.array(v.picklist(['authorization_code', 'refresh_token', 'client_credentials'])),
    v.minLength(1, 'must not be empty'),
  ),
  redirectUris: v.optional(v.array(v.string()), []),
  scopes: v.pipe(v.array(scope), v.minLength(1, 'must not be empty')),
  urnPart: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]+$/, 'must be letters, digits and "-"'))),
  partner: v.optional(v.boolean(), false),
})

const sensor = v.strictObject({ localId: v.string(), client: id, name: v.optional(name) })

const seedFile = v.strictObject({
  accounts: v.optional(v.array(account), []),
  users: v.optional(v.array(user), []),
  clients: v.optional(v.array(client), []),
  sensors: v.optional(v.array(sensor), []),
})

export type Seed = v.InferOutput<typeof seedFile>

export interface SeedRules {
  sensorIdPolicy: SensorIdPolicy
  allowLoopbackRedirects: boolean
}

/** @param where Named in messages: the file. */
export function parseSeed(text: string, where: string, rules: SeedRules): Seed {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new SettingsError(`"${where}" is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  // To the schema, a list is an object that has none of the members.
  if (Array.isArray(json)) throw new SettingsError(`"${where}" at the top: must be one JSON object`)
  const result = v.safeParse(seedFile, json)
  if (!result.success) {
    const [issue] = result.issues
    throw new SettingsError(`"${where}" at ${v.getDotPath(issue) ?? 'the top'}: ${issue.message}`)
  }
  checkTogether(result.output, where, rules)
  return result.output
}

type Wrong = (place: string, message: string) => SettingsError

function checkTogether({ accounts, users, clients, sensors }: Seed, where: string, rules: SeedRules): void {
  const wrong: Wrong = (place, message) => new SettingsError(`"${where}" at ${place}: ${message}`)
  const owners = new Map(clients.map(({ id, account }) => [id, account]))
  checkOnce(accounts, ({ id }) => `"${id}"`, 'accounts.#.id', wrong)
  checkOnce(users, ({ email }) => `"${email.toLowerCase()}"`, 'users.#.email', wrong)
  checkOnce(clients, ({ id }) => `"${id}"`, 'clients.#.id', wrong)
  const sensorOf = ({ localId, client }: Seed['sensors'][number]) =>
    owners.has(client)
      ? `"${localId}" of the account "${owners.get(client)}"`
      : `"${localId}" of the client "${client}"`
  checkOnce(sensors, sensorOf, 'sensors.#.localId', wrong)

  const urnOwners = new Map<string, string>()
  clients.forEach((client, index) => {
    checkClient(client, `clients.${index}`, rules, wrong)
    const urnPart = client.urnPart ?? client.id
    const owner = urnOwners.get(urnPart) ?? client.account
    if (owner !== client.account)
      throw wrong(`clients.${index}.urnPart`, `"${urnPart}" belongs to the account "${owner}" already`)
    urnOwners.set(urnPart, owner)
  })
  sensors.forEach(({ localId }, index) => {
    if (isLocalId(localId, rules.sensorIdPolicy)) return
    throw wrong(
      `sensors.${index}.localId`,
      `"${localId}" must be 1 to 255 letters and digits (--sensor-id-policy compat takes . _ : - too)`,
    )
  })
}

function checkOnce<T>(entries: T[], toName: (entry: T) => string, place: string, wrong: Wrong): void {
  const seen = new Set<string>()
  entries.map(toName).forEach((name, index) => {
    if (seen.has(name)) throw wrong(place.replace('#', String(index)), `${name} stands twice`)
    seen.add(name)
  })
}

function checkClient(client: Seed['clients'][number], place: string, rules: SeedRules, wrong: Wrong): void {
  for (const uri of client.redirectUris) {
    if (isRedirectUri(uri, { allowLoopback: rules.allowLoopbackRedirects })) continue
    throw wrong(
      `${place}.redirectUris`,
      `"${uri}" must be an https URL (http on loopback with --allow-loopback-redirects)`,
    )
  }
  if (client.grants.includes('authorization_code') && client.redirectUris.length === 0) {
    throw wrong(`${place}.redirectUris`, 'the grant authorization_code needs at least one')
  }
  if (client.grants.includes('client_credentials') && client.secret === undefined) {
    throw wrong(`${place}.secret`, 'the grant client_credentials needs one')
  }
  if (client.urnPart === undefined && !/^[A-Za-z0-9-]+$/.test(client.id))
    throw wrong(`${place}.urnPart`, `the id "${client.id}" cannot stand in a URN; give an urnPart`)
}
