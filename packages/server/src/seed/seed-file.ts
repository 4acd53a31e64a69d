/**
 * Parses the seed file: accounts, users, clients and sensors to add.
 * In: the text. Out: entries, validated one by one and against each other; a SettingsError names the path of the error.
 */
import * as v from 'valibot'
import { type EntryRules, entrySchemas, findClientProblem, findLocalIdProblem } from '../admin/entries.ts'
import { SettingsError } from '../errors.ts'
import { toSchemaProblem } from './schema-problem.ts'

const seedFile = v.strictObject({
  accounts: v.optional(v.array(entrySchemas.account), []),
  users: v.optional(v.array(entrySchemas.user), []),
  clients: v.optional(v.array(entrySchemas.client), []),
  sensors: v.optional(v.array(entrySchemas.sensor), []),
})

export type Seed = v.InferOutput<typeof seedFile>

/** @param file The file's name, for messages. */
export function parseSeed(text: string, file: string, rules: EntryRules): Seed {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new SettingsError(`"${file}" is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  // The schema would accept an array as an object without members.
  if (Array.isArray(json)) throw new SettingsError(`"${file}" at the top: must be one JSON object`)
  const result = v.safeParse(seedFile, json)
  if (!result.success) {
    throw new SettingsError(`"${file}" at ${toSchemaProblem(result.issues, keysAt)}`)
  }
  checkReferences(result.output, file, rules)
  return result.output
}

/** @param path Of an object, without indices. */
function keysAt(path: string): string[] {
  const { account, user, client, sensor } = entrySchemas
  const schemas = { '': seedFile, accounts: account, users: user, clients: client, sensors: sensor }
  return Object.keys(schemas[path as keyof typeof schemas]?.entries ?? {})
}

type ToError = (path: string, message: string) => SettingsError

function checkReferences({ accounts, users, clients, sensors }: Seed, file: string, rules: EntryRules): void {
  const toError: ToError = (path, message) => new SettingsError(`"${file}" at ${path}: ${message}`)
  const owners = new Map(clients.map(({ id, account }) => [id, account]))
  checkUnique(accounts, ({ id }) => `"${id}"`, 'accounts.#.id', toError)
  checkUnique(users, ({ email }) => `"${email.toLowerCase()}"`, 'users.#.email', toError)
  checkUnique(clients, ({ id }) => `"${id}"`, 'clients.#.id', toError)
  const sensorOf = ({ localId, client }: Seed['sensors'][number]) =>
    owners.has(client)
      ? `"${localId}" of the account "${owners.get(client)}"`
      : `"${localId}" of the client "${client}"`
  checkUnique(sensors, sensorOf, 'sensors.#.localId', toError)

  const urnOwners = new Map<string, string>()
  clients.forEach((client, index) => {
    const problem = findClientProblem(client, rules)
    if (problem) throw toError(`clients.${index}.${problem.field}`, problem.message)
    const urnPart = client.urnPart ?? client.id
    const owner = urnOwners.get(urnPart) ?? client.account
    if (owner !== client.account)
      throw toError(`clients.${index}.urnPart`, `"${urnPart}" already belongs to the account "${owner}"`)
    urnOwners.set(urnPart, owner)
  })
  sensors.forEach(({ localId }, index) => {
    const problem = findLocalIdProblem(localId, rules)
    if (problem !== undefined) throw toError(`sensors.${index}.localId`, problem)
  })
}

/** @param path The path with `#` in place of the index. */
function checkUnique<T>(entries: T[], toName: (entry: T) => string, path: string, toError: ToError): void {
  const seen = new Set<string>()
  entries.map(toName).forEach((name, index) => {
    if (seen.has(name)) throw toError(path.replace('#', String(index)), `${name} is in the file twice`)
    seen.add(name)
  })
}
