/** `posrep-server clients`: manages OAuth clients and their secrets. */
import { helpEnd } from '@posrep/kernel/help'
import type { Command } from 'commander'
import {
  type ClientChange,
  type ClientEntry,
  type EntryRules,
  findClientProblem,
  readEntry,
} from '../../admin/entries.ts'
import type { ClientView } from '../../admin/views.ts'
import { SettingsError } from '../../errors.ts'
import { randomSecret } from '../../secrets.ts'
import { type Answer, adminAction, toList } from '../admin-action.ts'
import { readSecret } from '../secret-input.ts'

interface NewClientOptions {
  account: string
  name?: string
  grants?: string
  redirectUri?: string[]
  origin?: string[]
  scopes: string
  urnPart?: string
  reuseTrustedUrnPart?: boolean
  partner?: boolean
  public?: boolean
  secretStdin?: boolean
}

interface ClientUpdateOptions {
  name?: string
  grants?: string
  redirectUri?: string[]
  origin?: string[]
  scopes?: string
}

interface SecretOptions {
  secretStdin?: boolean
}

const flags = {
  id: 'The id',
  secret: 'The secret',
  name: '--name',
  account: '--account',
  grants: '--grants',
  redirectUris: '--redirect-uri',
  origins: '--origin',
  scopes: '--scopes',
  urnPart: '--urn-part',
}
const secretStdin = [
  '--secret-stdin',
  'read the secret from one line of standard input instead of generating it',
] as const

const redirectSettings = { settings: ['allowLoopbackRedirects'] as const }

export function addClientCommands(program: Command): void {
  const clients = program.command('clients').description('manage the applications that get tokens')
  const onClient = (name: string, description: string) =>
    clients.command(name).description(description).argument('<id>', 'id of the client')

  adminAction<[id: string, options: NewClientOptions]>(
    clients
      .command('add')
      .description('add a client; generates a secret, which is shown only once')
      .argument('<id>', 'the client_id: letters, digits, ".", "_" and "-"')
      .requiredOption('--account <ID>', 'account of the client')
      .option('--name <NAME>', 'shown to the users who approve it (default: the id)')
      .option(
        '--redirect-uri <URL>',
        'address that users return to; may be given several times; http on loopback needs --allow-loopback-redirects',
        append,
      )
      .option(
        '--origin <URL>',
        'origin of a browser app that calls the API, beside those of its redirect URIs; may be given several times',
        append,
      )
      .option(
        '--grants <A,B>',
        'grants that it may use (default: authorization_code,refresh_token with a redirect URI, else client_credentials,refresh_token)',
      )
      .option('--scopes <A,B>', 'scopes that it may request', 'surveillance_api')
      .option('--urn-part <PART>', 'client part of the URNs of its sensors (default: the id)')
      .option(
        '--reuse-trusted-urn-part',
        'take a URN part that another account had in the last 30 days, although receivers may take its sensors for theirs',
      )
      .option('--partner', 'its sensors register themselves at their first token request')
      .option('--public', 'public client: it has no secret and must use PKCE')
      .option(...secretStdin)
      .addHelpText(
        'after',
        helpEnd({
          notes:
            'The last example is for an app on your machine: start the server with --allow-loopback-redirects, too.',
          examples: [
            'posrep-server clients add fleet --account acme',
            'posrep-server clients add map-view --account acme \\\n  --redirect-uri https://map.example/callback',
            'posrep-server clients add my-app --account acme --public \\\n  --redirect-uri http://127.0.0.1:8765/callback --allow-loopback-redirects',
          ],
        }),
      ),
    async ({ clients, rules }, id, options) => {
      const entry = await readClient(id, options, rules)
      const client = await clients.add(entry)
      const added = `Added the client "${client.id}" to the account "${client.account}"${toLoopbackHint([...client.redirectUris, ...client.origins])}`
      return withSecret(added, client, {
        secret: options.secretStdin ? undefined : entry.secret,
      })
    },
    redirectSettings,
  )

  adminAction<[options: { account?: string }]>(
    clients.command('list').description('list the clients').option('--account <ID>', 'only those of this account'),
    async ({ clients }, { account }) =>
      toList(
        await clients.list({ account }),
        ({ id, name, account, grants, secrets, disabled }) => ({
          ID: id,
          NAME: name,
          ACCOUNT: account,
          GRANTS: grants.join(' '),
          SECRETS: secrets === 0 ? 'public' : String(secrets),
          STATE: disabled ? 'disabled' : 'enabled',
        }),
        'There are no clients; to add one: posrep-server clients add fleet --account acme',
      ),
  )

  adminAction<[id: string, options: ClientUpdateOptions]>(
    onClient('update', 'change a client; its tokens are revoked when it loses a grant or a scope')
      .option('--name <NAME>', 'shown to the users who approve it')
      .option('--redirect-uri <URL>', 'replaces all redirect URIs; may be given several times', append)
      .option(
        '--origin <URL>',
        'replaces all origins beside those of the redirect URIs; may be given several times',
        append,
      )
      .option('--grants <A,B>', 'replaces the grants that it may use')
      .option('--scopes <A,B>', 'replaces the scopes that it may request')
      .addHelpText(
        'after',
        helpEnd({
          examples: [
            'posrep-server clients update map-view \\\n  --redirect-uri https://map.example/callback \\\n  --redirect-uri https://map.example/silent',
          ],
        }),
      ),
    async ({ clients }, id, options) => ({
      json: await clients.update(id, readUpdate(options)),
      text: `Changed the client "${id}"${toLoopbackHint([...(options.redirectUri ?? []), ...(options.origin ?? [])])}`,
    }),
    redirectSettings,
  )

  adminAction<[id: string]>(
    onClient('disable', 'revoke the tokens of a client and issue no more'),
    async ({ clients }, id) => ({ json: await clients.disable(id), text: `Disabled the client "${id}"` }),
  )

  adminAction<[id: string]>(
    onClient('enable', 'allow a disabled client to get tokens again'),
    async ({ clients }, id) => ({
      json: await clients.enable(id),
      text: `Enabled the client "${id}"`,
    }),
  )

  adminAction<[id: string, options: SecretOptions & { dropOld?: boolean }]>(
    onClient('rotate-secret', 'add a new secret, shown only once; the old one stays valid until drop-secret')
      .option(...secretStdin)
      .option('--drop-old', 'end the old secret at once, for example when it leaked'),
    async ({ clients }, id, { secretStdin, dropOld = false }) => {
      const given = secretStdin ? await readSecret('--secret-stdin') : undefined
      const secret = given === undefined ? randomSecret() : checkSecret(given)
      const client = await clients.rotateSecret(id, secret, { dropOld })
      const text = dropOld
        ? `Replaced the secret of the client "${id}"`
        : `The client "${id}" has two secrets; when it uses the new one: posrep-server clients drop-secret ${id}`
      return withSecret(text, client, { secret: given === undefined ? secret : undefined })
    },
    {
      confirm: (id, { dropOld }) =>
        dropOld ? `Replace the secret of the client "${id}"? The old one is refused at once` : undefined,
    },
  )

  adminAction<[id: string]>(
    onClient('drop-secret', 'end the old secret after rotate-secret'),
    async ({ clients }, id) => ({
      json: await clients.dropSecret(id),
      text: `Dropped the old secret of the client "${id}"`,
    }),
    { confirm: (id) => `Drop the old secret of the client "${id}"? It is refused at once` },
  )

  adminAction<[id: string]>(
    onClient(
      'remove',
      'delete a client that has no sensors; revokes its tokens, and deletes the approvals of its users',
    ),
    async ({ clients }, id) => ({ json: await clients.remove(id), text: `Removed the client "${id}"` }),
    { confirm: (id) => `Remove the client "${id}"? Its tokens and the approvals of its users end` },
  )
}

/** @throws SettingsError */
function readUpdate({
  name,
  redirectUri: redirectUris,
  origin: origins,
  grants,
  scopes,
}: ClientUpdateOptions): ClientChange {
  const input = {
    ...(name !== undefined && { name }),
    ...(redirectUris !== undefined && { redirectUris }),
    ...(origins !== undefined && { origins }),
    ...(grants !== undefined && { grants: toWords(grants) }),
    ...(scopes !== undefined && { scopes: toWords(scopes) }),
  }
  if (Object.keys(input).length > 0) return readEntry('clientChange', input, flags)
  throw new SettingsError('Give what to change: --name, --redirect-uri, --origin, --grants or --scopes')
}

async function readClient(id: string, options: NewClientOptions, rules: EntryRules): Promise<ClientEntry> {
  const { account, name = id, redirectUri: redirectUris = [], origin: origins, partner = false } = options
  const { urnPart, reuseTrustedUrnPart } = options
  const isForUsers = redirectUris.length > 0 || options.public
  const byDefault = isForUsers ? 'authorization_code' : 'client_credentials'
  if (options.public && options.secretStdin)
    throw new SettingsError('--public and --secret-stdin contradict each other')
  const secret = options.secretStdin ? await readSecret('--secret-stdin') : randomSecret()
  const input = {
    ...{ id, account, name, redirectUris, partner },
    grants: toWords(options.grants ?? `${byDefault},refresh_token`),
    scopes: toWords(options.scopes),
    ...(origins !== undefined && { origins }),
    ...(urnPart !== undefined && { urnPart }),
    ...(reuseTrustedUrnPart && { reuseTrustedUrnPart }),
    ...(!options.public && { secret }),
  }
  const entry = readEntry('client', input, flags)
  const problem = findClientProblem(entry, rules)
  if (problem) throw new SettingsError(`${flags[problem.field]}: ${problem.message}`)
  return entry
}

function checkSecret(given: string): string {
  if (given.length < 8) throw new SettingsError('The secret must be at least 8 characters')
  return given
}

/** The flag of this command lets the client be stored; the server decides at each sign-in. */
function toLoopbackHint(addresses: string[]): string {
  const isLoopback = addresses.some((uri) => uri.startsWith('http://'))
  return isLoopback ? '; start the server with --allow-loopback-redirects, too' : ''
}

/** @param secret Shown if this command generated it; undefined if the operator supplied it. */
function withSecret(text: string, client: ClientView, { secret }: { secret: string | undefined }): Answer {
  if (secret === undefined) return { json: client, text }
  const shown = [
    text,
    '',
    `  client_id      ${client.id}`,
    `  client_secret  ${secret}`,
    '',
    'Only a hash of the secret is stored: it cannot be shown again',
  ]
  return { json: { ...client, secret }, text: shown.join('\n') }
}

function toWords(list: string): string[] {
  return list.split(',').map((word) => word.trim())
}

function append(value: string, earlier: string[] = []): string[] {
  return [...earlier, value]
}
