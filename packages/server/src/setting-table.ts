/**
 * Every setting of the operator, a row each.
 * A row names the flag, which gives the variable and the key of the file, too; how its text is read; what the help says.
 */
import type { RedisDurability } from './adapters/redis/checks.ts'
import type { SensorIdPolicy } from './devices/local-id.ts'
import { allRoles, type Role } from './roles.ts'
import { readers } from './setting-readers.ts'

/** What a setting is called, how its text is read, and what the help says. */
export interface Setting<T> {
  /** Name of the flag, without dashes. */
  name: string
  /** Shown in the help; none = a switch. */
  value?: string
  help: string
  read(text: string): T
  default: T
  /** The default as the help shows it, where its own text is not how it is given. */
  shownDefault?: string
  /** A message that refuses it does not repeat it. */
  secret?: true
}

function setting<T>(
  name: string,
  value: string | undefined,
  help: string,
  read: (text: string) => T,
  byDefault: T,
): Setting<T> {
  return { name, ...(value !== undefined && { value }), help, read, default: byDefault }
}

const { text, toggle, port, count, atLeastOne, duration, origin, redisUrl, oneOf, someOf, ports, trustedProxies } =
  readers
type Optional<T> = T | undefined

/** In ms; given and shown as `90s`, `15m`, `24h`. */
function timeSetting(name: string, help: string, byDefault: string): Setting<number> {
  return { ...setting(name, 'TIME', help, duration, duration(byDefault)), shownDefault: byDefault }
}

function secret<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, secret: true }
}

export const settingTable = {
  host: setting('host', 'HOST', 'address to listen on', text, '127.0.0.1'),
  port: setting('port', 'PORT', 'port to listen on; 0 takes a free one', port, 8443),
  maxConnections: setting('max-connections', 'N', 'most connections at a time; more are closed', atLeastOne, 10_000),
  drainNoticeSeconds: setting(
    'drain-notice-seconds',
    'N',
    'how long after SIGTERM connections are still taken, while /readyz is 503',
    count,
    1,
  ),
  trustProxy: setting(
    'trust-proxy',
    'CIDR|HOPS',
    'whose forwarded client address to believe',
    trustedProxies,
    undefined as Optional<string[] | number>,
  ),
  dataDir: setting('data-dir', 'DIR', 'where the database and the development certificate live', text, '.posrep'),
  memory: setting('memory', undefined, 'keep nothing', toggle, false),
  redis: secret(
    setting(
      'redis',
      'URL',
      'keep everything in this Redis, for any number of processes',
      redisUrl,
      undefined as Optional<string>,
    ),
  ),
  redisDurability: setting(
    'redis-durability',
    'always|everysec|none',
    'what Redis must promise: survive a power cut, one but for a second, nothing',
    oneOf<RedisDurability>('always', 'everysec', 'none'),
    'always' as RedisDurability,
  ),
  roles: {
    ...setting('roles', 'A,B', `parts that this process runs, of ${allRoles.join(',')}`, someOf(...allRoles), [
      ...allRoles,
    ] as Role[]),
    shownDefault: 'all',
  },
  authOrigin: setting(
    'auth-origin',
    'URL',
    'public origin of the identity provider',
    origin,
    undefined as Optional<string>,
  ),
  ingestOrigin: setting('ingest-origin', 'URL', 'public origin of the ingest', origin, undefined as Optional<string>),
  uiOrigin: setting(
    'ui-origin',
    'URL',
    'public origin of the user interface and the device endpoints',
    origin,
    undefined as Optional<string>,
  ),
  tlsCert: setting('tls-cert', 'FILE', 'PEM certificate; generated when left out', text, undefined as Optional<string>),
  tlsKey: setting('tls-key', 'FILE', 'PEM private key of the certificate', text, undefined as Optional<string>),
  insecureHttp: setting('insecure-http', undefined, 'plain HTTP, behind a proxy that terminates TLS', toggle, false),
  seed: setting('seed', 'FILE', 'accounts, users, clients and sensors to have', text, undefined as Optional<string>),
  demo: setting('demo', undefined, 'a demo account and recorded traffic; on loopback only', toggle, false),
  allowPrivateRelays: setting(
    'allow-private-relays',
    undefined,
    'relay addresses may lead to private networks',
    toggle,
    false,
  ),
  openRegistration: setting(
    'open-registration',
    undefined,
    'sensors that a user asks for need no approval',
    toggle,
    false,
  ),
  pairingStrictSource: setting(
    'pairing-strict-source',
    undefined,
    'pairing gives tokens to nobody when more than one address asks',
    toggle,
    false,
  ),
  metricsToken: setting(
    'metrics-token',
    'TOKEN',
    'opens /metrics to who sends this bearer token',
    text,
    undefined as Optional<string>,
  ),
  relayPorts: setting('relay-ports', 'A,B', 'ports of relays besides 443 and 8443', ports, [] as number[]),
  relayRetention: timeSetting('relay-retention', 'how long deliveries to a failing relay are kept', '24h'),
  relayBacklog: setting(
    'relay-backlog',
    'N',
    'most deliveries owed to one relay; the oldest give way',
    atLeastOne,
    10_000,
  ),
  ingestBacklog: setting(
    'ingest-backlog',
    'N',
    'most reports that wait to be processed; beyond it they are refused with 503',
    atLeastOne,
    100_000,
  ),
  metricWindow: timeSetting('metric-window', 'how far back recent reports go', '1h'),
  recentLimit: setting('recent-limit', 'N', 'most recent reports per device', atLeastOne, 10_000),
  refreshGraceSeconds: setting(
    'refresh-grace-seconds',
    'N',
    'how long a used refresh token repeats its answer',
    count,
    30,
  ),
  sensorIdPolicy: setting(
    'sensor-id-policy',
    'strict|compat',
    'compat also takes . _ : - in local sensor IDs',
    oneOf<SensorIdPolicy>('strict', 'compat'),
    'strict' as SensorIdPolicy,
  ),
  ingestProfile: setting(
    'ingest-profile',
    'strict|compat',
    'compat also takes reports with common mistakes, mended and tagged',
    oneOf<'strict' | 'compat'>('strict', 'compat'),
    'strict' as 'strict' | 'compat',
  ),
  allowLoopbackRedirects: setting(
    'allow-loopback-redirects',
    undefined,
    'redirect URIs may be http on loopback',
    toggle,
    false,
  ),
  logFormat: setting(
    'log-format',
    'pretty|json',
    'default: pretty on a terminal and with --demo',
    oneOf('pretty', 'json'),
    undefined as Optional<'pretty' | 'json'>,
  ),
  logLevel: setting(
    'log-level',
    'LEVEL',
    'debug, info, warn or error; default: info, warn with --demo',
    oneOf('debug', 'info', 'warn', 'error'),
    undefined as Optional<'debug' | 'info' | 'warn' | 'error'>,
  ),
} as const

type Table = typeof settingTable
export type Settings = { [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never }
