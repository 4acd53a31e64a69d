/**
 * The seed file: accounts, users, clients and sensors to have.
 * In: its text. Out: its entries, each checked alone and against the others; a SettingsError names the place.
 */
import * as v from 'valibot'
import { type EntryRules, entrySchemas, findClientProblem, findLocalIdProblem } from './admin/entries.ts'
import { SettingsError } from './errors.ts'

const seedFile = v.strictObject({
  accounts: v.optional(v.array(entrySchemas.account), []),
  users: v.optional(v.array(entrySchemas.user), []),
  clients: v.optional(v.array(entrySchemas.client), []),
  sensors: v.optional(v.array(entrySchemas.sensor), []),
})

export type Seed = v.InferOutput<typeof seedFile>

/** @param where Named in messages: the file. */
export function parseSeed(text: string, where: string, rules: EntryRules): Seed {
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

function checkTogether({ accounts, users, clients, sensors }: Seed, where: string, rules: EntryRules): void {
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
    const problem = findClientProblem(client, rules)
    if (problem) throw wrong(`clients.${index}.${problem.place}`, problem.message)
    const urnPart = client.urnPart ?? client.id
    const owner = urnOwners.get(urnPart) ?? client.account
    if (owner !== client.account)
      throw wrong(`clients.${index}.urnPart`, `"${urnPart}" belongs to the account "${owner}" already`)
    urnOwners.set(urnPart, owner)
  })
  sensors.forEach(({ localId }, index) => {
    const problem = findLocalIdProblem(localId, rules)
    if (problem !== undefined) throw wrong(`sensors.${index}.localId`, problem)
  })
}

function checkOnce<T>(entries: T[], toName: (entry: T) => string, place: string, wrong: Wrong): void {
  const seen = new Set<string>()
  entries.map(toName).forEach((name, index) => {
    if (seen.has(name)) throw wrong(place.replace('#', String(index)), `${name} stands twice`)
    seen.add(name)
  })
}
