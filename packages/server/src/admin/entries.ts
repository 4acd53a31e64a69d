/**
 * Validates entries for accounts, users, clients and sensors, both of the seed file and of the command line.
 * In: text or JSON as written. Out: validated entries, or the problem.
 */
import * as v from 'valibot'
import { isLocalId, type SensorIdPolicy } from '../devices/local-id.ts'
import { SettingsError } from '../errors.ts'
import { isAppOriginText, isRedirectUri } from '../identity/authorize/redirect-uri.ts'
import { isEmail } from '../identity/people/users.ts'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"'))
const name = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(200, 'must be at most 200 characters'),
  v.regex(/^\P{Cc}*$/u, 'must have no line breaks or other control characters'),
)
const scope = v.pipe(v.string(), v.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be one scope, without spaces'))
const password = v.pipe(
  v.string(),
  v.minLength(8, 'must be at least 8 characters'),
  v.maxLength(256, 'must be at most 256 characters'),
)
const email = v.pipe(
  v.string(),
  v.check(isEmail, 'must be like name@example.com, without invisible characters, and at most 254 characters long'),
)
const grant = v.picklist(
  ['authorization_code', 'refresh_token', 'client_credentials'],
  'must be authorization_code, refresh_token or client_credentials',
)

const grants = v.pipe(v.array(grant), v.minLength(1, 'must not be empty'))
const scopes = v.pipe(v.array(scope), v.minLength(1, 'must not be empty'))

const account = v.strictObject({ id, name })

const user = v.strictObject({ email, password, account: id })

const client = v.strictObject({
  id,
  /** A client without a secret is public and must use PKCE. */
  secret: v.optional(v.pipe(v.string(), v.minLength(8, 'must be at least 8 characters'))),
  name,
  account: id,
  grants,
  redirectUris: v.optional(v.array(v.string()), []),
  /** Origins of browser apps that call the API, beside those of the redirect URIs. */
  origins: v.exactOptional(v.array(v.string())),
  scopes,
  urnPart: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]+$/, 'must be letters, digits and "-"'))),
  /**
   * Takes a URN part that another account had in the last 30 days, although receivers may take its sensors for theirs.
   */
  reuseTrustedUrnPart: v.optional(v.boolean()),
  partner: v.optional(v.boolean(), false),
})

/** What can be changed about a client; what is absent stays. */
const clientChange = v.strictObject({
  name: v.exactOptional(name),
  grants: v.exactOptional(grants),
  redirectUris: v.exactOptional(v.array(v.string())),
  origins: v.exactOptional(v.array(v.string())),
  scopes: v.exactOptional(scopes),
})

const sensor = v.strictObject({ localId: v.string(), client: id, name: v.optional(name) })

export const entrySchemas = { account, user, client, clientChange, sensor }

export type AccountEntry = v.InferOutput<typeof account>
export type UserEntry = v.InferOutput<typeof user>
export type ClientEntry = v.InferOutput<typeof client>
export type ClientChange = v.InferOutput<typeof clientChange>
export type SensorEntry = v.InferOutput<typeof sensor>

/** The settings that decide which entries are accepted. */
export interface EntryRules {
  sensorIdPolicy: SensorIdPolicy
  allowLoopbackRedirects: boolean
}

export interface ClientProblem {
  field: 'redirectUris' | 'origins' | 'secret' | 'urnPart'
  message: string
}

interface CheckedClient extends Pick<ClientEntry, 'id' | 'grants' | 'redirectUris' | 'origins' | 'urnPart'> {
  /** Or its hash; only whether there is one is checked. */
  secret?: string | undefined
}

/** Checks rules that involve several fields of a client. */
export function findClientProblem(entry: CheckedClient, rules: EntryRules): ClientProblem | undefined {
  const { id, secret, grants, redirectUris, origins = [], urnPart = id } = entry
  const policy = { allowLoopback: rules.allowLoopbackRedirects }
  const refused = redirectUris.find((uri) => !isRedirectUri(uri, policy))
  if (refused !== undefined) {
    const message = isRedirectUri(refused, { allowLoopback: true })
      ? `"${refused}" is http on loopback, which needs --allow-loopback-redirects`
      : `"${refused}" must be an https URL, or with --allow-loopback-redirects http on 127.0.0.1, [::1] or localhost`
    return { field: 'redirectUris', message }
  }
  const refusedOrigin = origins.find((origin) => !isAppOriginText(origin, policy))
  if (refusedOrigin !== undefined) {
    const message = isAppOriginText(refusedOrigin, { allowLoopback: true })
      ? `"${refusedOrigin}" is http on loopback, which needs --allow-loopback-redirects`
      : `"${refusedOrigin}" must be an https origin without a path, such as "https://app.example"`
    return { field: 'origins', message }
  }
  if (grants.includes('authorization_code') && redirectUris.length === 0) {
    return { field: 'redirectUris', message: 'the grant authorization_code needs at least one redirect URI' }
  }
  if (grants.includes('client_credentials') && secret === undefined) {
    return { field: 'secret', message: 'the grant client_credentials needs a secret' }
  }
  if (!/^[A-Za-z0-9-]+$/.test(urnPart)) {
    return { field: 'urnPart', message: `the id "${id}" cannot be part of a URN; give one of letters, digits and "-"` }
  }
  return undefined
}

export function findLocalIdProblem(localId: string, { sensorIdPolicy }: EntryRules): string | undefined {
  return isLocalId(localId, sensorIdPolicy)
    ? undefined
    : `"${localId}" must be 1 to 255 letters and digits (--sensor-id-policy compat also allows . _ : -)`
}

type Schemas = typeof entrySchemas

/**
 * Validates an entry that a command built from its arguments and flags.
 *
 * @param flags The name of each field in messages, such as `--redirect-uri`.
 * @throws SettingsError
 */
export function readEntry<K extends keyof Schemas>(
  kind: K,
  input: Record<string, unknown>,
  flags: Record<string, string>,
): v.InferOutput<Schemas[K]> {
  const result = v.safeParse<Schemas[K]>(entrySchemas[kind], input)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = String(issue.path?.[0]?.key ?? '')
  // Messages never contain a secret or a password.
  const got = typeof issue.input === 'string' && !['secret', 'password'].includes(field) ? `, got "${issue.input}"` : ''
  throw new SettingsError(`${flags[field] ?? field} ${issue.message}${got}`)
}
