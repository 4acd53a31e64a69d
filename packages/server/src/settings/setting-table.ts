/**
 * The table of all settings. Each row has the name of the flag (from which the names of the environment variable and of
 * the file's key are derived), the help text, the parser and the default.
 */
import type { SensorIdPolicy } from '../devices/local-id.ts'
import type { RedisDurability } from '../ports/storage/redis-durability.ts'
import { air, airCot } from './air-settings.ts'
import { allRoles, type Role } from './roles.ts'
import { type Setting, setting, timeSetting } from './setting.ts'
import { readers } from './value-readers.ts'

const { text, toggle, port, count, atLeastOne, origin, redisUrl, oneOf, someOf, ports, trustedProxies } = readers

const network = {
  host: setting('host', 'HOST', 'address to listen on', text, '127.0.0.1'),
  port: setting('port', 'PORT', 'port to listen on; 0 selects a free one', port, 8443),
  maxConnections: setting('max-connections', 'N', 'maximum number of open connections', atLeastOne, 10_000),
  maxConnectionsPerAddress: {
    ...setting<number | undefined>(
      'max-connections-per-address',
      'N',
      'maximum number of open connections of one address, except trusted proxies; of an IPv6 /48, twice as many',
      atLeastOne,
      undefined,
    ),
    shownDefault: 'a quarter of --max-connections',
  },
  drainNoticeSeconds: setting(
    'drain-notice-seconds',
    'N',
    'how long connections are still accepted after SIGTERM, while /readyz answers 503',
    count,
    1,
  ),
  trustProxy: setting<string[] | number | undefined>(
    'trust-proxy',
    'CIDR|HOPS',
    'proxies whose X-Forwarded-For is trusted: addresses and ranges, or a number of hops',
    trustedProxies,
    undefined,
  ),
} as const

const storage = {
  dataDir: setting('data-dir', 'DIR', 'directory of the database and the development certificate', text, '.posrep'),
  memory: setting('memory', undefined, 'keep all data in memory only', toggle, false),
  redis: {
    ...setting<string | undefined>(
      'redis',
      'URL',
      'keep all data in this Redis, for any number of processes',
      redisUrl,
      undefined,
    ),
    secret: true,
  } satisfies Setting<string | undefined>,
  redisDurability: setting<RedisDurability>(
    'redis-durability',
    'always|everysec|none',
    'durability that Redis must have, checked at start; with everysec a power failure may lose a second',
    oneOf('always', 'everysec', 'none'),
    'always',
  ),
  roles: {
    ...setting<Role[]>('roles', 'A,B', `parts that this process runs: ${allRoles.join(', ')}`, someOf(...allRoles), [
      ...allRoles,
    ]),
    shownDefault: 'all',
  },
} as const

const origins = {
  authOrigin: setting<string | undefined>(
    'auth-origin',
    'URL',
    'public origin of the identity provider',
    origin,
    undefined,
  ),
  ingestOrigin: setting<string | undefined>('ingest-origin', 'URL', 'public origin of the ingest', origin, undefined),
  uiOrigin: setting<string | undefined>(
    'ui-origin',
    'URL',
    'public origin of the user interface and the device endpoints',
    origin,
    undefined,
  ),
  tlsCert: setting<string | undefined>(
    'tls-cert',
    'FILE',
    'PEM certificate; by default one is generated',
    text,
    undefined,
  ),
  tlsKey: setting<string | undefined>('tls-key', 'FILE', 'PEM private key of the certificate', text, undefined),
  insecureHttp: setting('insecure-http', undefined, 'plain HTTP, behind a proxy that terminates TLS', toggle, false),
} as const

const start = {
  seed: setting<string | undefined>(
    'seed',
    'FILE',
    'JSON file of accounts, users, clients and sensors to add',
    text,
    undefined,
  ),
  demo: setting(
    'demo',
    undefined,
    'run with a demo account and recorded traffic; with host and origins on loopback only',
    toggle,
    false,
  ),
} as const

const access = {
  openRegistration: setting(
    'open-registration',
    undefined,
    'register sensors as soon as users request them, without approval by an operator',
    toggle,
    false,
  ),
  selfRegisteredAccounts: setting(
    'self-registered-accounts',
    'N',
    'how many accounts without a client application can have sensors by --open-registration; those of further ones need approval',
    count,
    100,
  ),
  pairingStrictSource: setting(
    'pairing-strict-source',
    undefined,
    'issue no tokens by pairing when more than one address requests them',
    toggle,
    false,
  ),
  sensorIdPolicy: setting<SensorIdPolicy>(
    'sensor-id-policy',
    'strict|compat',
    'compat also allows . _ : - in local sensor IDs',
    oneOf('strict', 'compat'),
    'strict',
  ),
  ingestProfile: setting<'strict' | 'compat'>(
    'ingest-profile',
    'strict|compat',
    'compat also accepts reports with common mistakes, which it corrects and tags',
    oneOf('strict', 'compat'),
    'strict',
  ),
  allowLoopbackRedirects: setting(
    'allow-loopback-redirects',
    undefined,
    'allow redirect URIs with http on loopback',
    toggle,
    false,
  ),
  refreshGraceSeconds: setting(
    'refresh-grace-seconds',
    'N',
    'how long a used refresh token gets the same answer again; 0 for never',
    count,
    30,
  ),
} as const

const relays = {
  allowPrivateRelays: setting(
    'allow-private-relays',
    undefined,
    'allow relay addresses in private networks',
    toggle,
    false,
  ),
  relayPorts: setting<number[]>('relay-ports', 'A,B', 'ports allowed for relays besides 443 and 8443', ports, []),
  relayCa: setting<string | undefined>(
    'relay-ca',
    'FILE',
    'PEM certificates that relays may use, besides those of public authorities',
    text,
    undefined,
  ),
  relayRetention: timeSetting(
    'relay-retention',
    'how long a relay may fail, and how long deliveries to a relay that is not Active are kept',
    '24h',
  ),
  relayBacklog: setting(
    'relay-backlog',
    'N',
    'maximum number of pending deliveries to one relay; beyond it the oldest are dropped',
    atLeastOne,
    10_000,
  ),
  relayBacklogMib: setting(
    'relay-backlog-mib',
    'N',
    'maximum size of the pending and buried deliveries to one relay, in MiB; beyond it the oldest are dropped',
    atLeastOne,
    64,
  ),
} as const

const limits = {
  clientMib: setting(
    'client-mib',
    'N',
    'maximum size of the recent reports of all sensors of a client, in MiB; the same for its deliveries, and for its waiting reports',
    atLeastOne,
    4_096,
  ),
  selfRegisteredMib: setting(
    'self-registered-mib',
    'N',
    '--client-mib for the sensors of an account without a client application',
    atLeastOne,
    64,
  ),
  ingestBacklog: setting(
    'ingest-backlog',
    'N',
    'maximum number of reports waiting to be processed; beyond it reports are refused with 503',
    atLeastOne,
    100_000,
  ),
  metricWindow: timeSetting('metric-window', 'how long recent reports and metrics of devices are kept', '1h'),
  recentLimit: setting('recent-limit', 'N', 'maximum number of recent reports per device', atLeastOne, 10_000),
  recentMib: setting('recent-mib', 'N', 'maximum size of the recent reports of a device, in MiB', atLeastOne, 64),
} as const

const logs = {
  logFormat: setting<'pretty' | 'json' | undefined>(
    'log-format',
    'pretty|json',
    'format of log lines (default: pretty on a terminal and with --demo, else json)',
    oneOf('pretty', 'json'),
    undefined,
  ),
  logLevel: setting<'debug' | 'info' | 'warn' | 'error' | undefined>(
    'log-level',
    'LEVEL',
    'debug, info, warn or error (default: info; warn with --demo)',
    oneOf('debug', 'info', 'warn', 'error'),
    undefined,
  ),
  metricsToken: setting<string | undefined>(
    'metrics-token',
    'TOKEN',
    'bearer token that allows any address to read /metrics',
    text,
    undefined,
  ),
} as const

/** The table in groups, as `serve --help` shows it. */
export const settingGroups: Record<string, Record<string, Setting<unknown>>> = {
  Network: network,
  'Storage and processes': storage,
  'Origins and TLS': origins,
  Start: start,
  'Sign-in and sensors': access,
  Relays: relays,
  'Cursor on Target': airCot,
  Limits: limits,
  'Air picture': air,
  'Logs and metrics': logs,
}

export const settingTable = {
  ...network,
  ...storage,
  ...origins,
  ...start,
  ...access,
  ...relays,
  ...airCot,
  ...limits,
  ...air,
  ...logs,
} as const

type Table = typeof settingTable
export type Settings = { [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never }
