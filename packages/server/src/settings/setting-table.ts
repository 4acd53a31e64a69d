/**
 * All settings, in the groups in which `serve --help` and docs/operating.md show them. Each is a record; see
 * `setting.ts`. After a change run `pnpm generate`, which writes the table of docs/operating.md.
 */
import { separationSettings } from '@posrep/air/alerts'
import { findRedisUrls } from '../ports/storage/redis-addresses.ts'
import { readCotDestinations } from './cot-destinations.ts'
import { allRoles } from './roles.ts'
import { optional, type Setting, setting } from './setting.ts'
import {
  atLeastOne,
  count,
  duration,
  oneOf,
  origin,
  partitions,
  port,
  ports,
  redisUrl,
  someOf,
  text,
  toggle,
  trustedProxies,
} from './value-readers.ts'

const groups = {
  Network: {
    host: setting({ read: text, default: '127.0.0.1', unit: 'HOST', sentence: 'address to listen on' }),
    port: setting({ read: port, default: 8443, unit: 'PORT', sentence: 'port to listen on; 0 selects a free one' }),
    maxConnections: setting({
      read: atLeastOne,
      default: 10_000,
      unit: 'N',
      sentence:
        'maximum number of open connections; further ones are closed at once. A quarter of them may be of one address ([below](#shares))',
    }),
    drainNoticeSeconds: setting({
      read: count,
      default: 1,
      unit: 'N',
      sentence:
        'how long connections are still accepted after SIGTERM, while `/readyz` answers 503, so that load balancers notice',
    }),
    trustProxy: optional({
      read: trustedProxies,
      unit: 'CIDR|HOPS',
      sentence: 'proxies whose `X-Forwarded-For` is trusted: comma-separated addresses and ranges, or a number of hops',
    }),
  },

  'Storage and processes': {
    dataDir: setting({
      read: text,
      default: '.posrep',
      unit: 'DIR',
      sentence: 'directory of the database, which contains the signing keys, and of the development certificate',
    }),
    memory: setting({
      read: toggle,
      default: false,
      sentence: 'keep all data in memory only; the development certificate is in a temporary folder',
    }),
    redis: optional({
      read: redisUrl,
      unit: 'URL',
      sentence:
        'keep all data in this Redis or Redis Cluster, for any number of processes; the data directory then contains only the development certificate. `redis://a:6379,b:6379` names several nodes',
      secret: (given) => findRedisUrls(given)?.some((url) => new URL(url).password !== '') ?? false,
    }),
    redisDurability: setting({
      read: oneOf('always', 'everysec', 'none'),
      default: 'always',
      unit: 'always|everysec|none',
      sentence:
        'durability that Redis must have, checked at start; with `everysec` a power failure may lose a second ([below](#redis-and-several-processes))',
    }),
    redisPartitions: setting({
      read: partitions,
      default: 64,
      unit: 'N',
      sentence:
        'parts into which the data in a Redis Cluster is divided, from 1 to 256; it cannot be changed after the first start',
    }),
    redisReplicas: setting({
      read: count,
      default: 0,
      unit: 'N',
      sentence:
        'how many replicas of a Redis must confirm each write before the server counts on it ([scaling.md](scaling.md#guarantees))',
    }),
    roles: setting({
      read: someOf(...allRoles),
      default: [...allRoles],
      shownDefault: 'all',
      unit: 'A,B',
      sentence: `parts that this process runs: ${allRoles.map((role) => `\`${role}\``).join(', ')}; requires \`--redis\``,
    }),
  },

  'Origins and TLS': {
    authOrigin: optional({
      read: origin,
      shownDefault: 'https://localhost:PORT',
      unit: 'URL',
      sentence:
        'public origin of the identity provider; all three origins must be https unless `--insecure-http` is set',
    }),
    ingestOrigin: optional({
      read: origin,
      shownDefault: 'https://localhost:PORT',
      unit: 'URL',
      sentence: 'public origin of the ingest',
    }),
    uiOrigin: optional({
      read: origin,
      shownDefault: 'https://localhost:PORT',
      unit: 'URL',
      sentence: 'public origin of the user interface and the device endpoints',
    }),
    tlsCert: optional({
      read: text,
      shownDefault: 'generated',
      unit: 'FILE',
      sentence: 'PEM certificate, with its chain',
    }),
    tlsKey: optional({
      read: text,
      shownDefault: 'generated',
      unit: 'FILE',
      sentence: 'PEM private key of the certificate; set both or neither',
    }),
    insecureHttp: setting({
      read: toggle,
      default: false,
      sentence:
        'plain HTTP, behind a proxy that terminates TLS; refused unless all three public origins are https or the host is loopback',
    }),
  },

  Start: {
    seed: optional({
      read: text,
      unit: 'FILE',
      sentence: 'JSON file of accounts, users, clients and sensors to add ([below](#the-seed-file))',
    }),
    demo: setting({
      read: toggle,
      default: false,
      sentence:
        'run with a demo account and recorded traffic, on loopback only; implies `--allow-private-relays`, `--open-registration`, `--allow-loopback-redirects`',
    }),
  },

  'Sign-in and sensors': {
    signUp: setting({
      read: oneOf('on', 'off'),
      default: 'on',
      unit: 'on|off',
      sentence: '`off`: nobody can create an account on the sign-in page; operators add users',
    }),
    openRegistration: setting({
      read: toggle,
      default: false,
      sentence:
        'register sensors as soon as users request them, without approval by an operator; anybody can then wait for sensors with guessed serial numbers (SECURITY.md)',
    }),
    pairingStrictSource: setting({
      read: toggle,
      default: false,
      sentence: 'issue no tokens by pairing when more than one address requests them ([Pairing](pairing.md))',
    }),
    sensorIdPolicy: setting({
      read: oneOf('strict', 'compat'),
      default: 'strict',
      unit: 'strict|compat',
      sentence: 'local sensor IDs have letters and digits; `compat` also allows `.`, `_`, `:` and `-`',
    }),
    ingestProfile: setting({
      read: oneOf('strict', 'compat'),
      default: 'strict',
      unit: 'strict|compat',
      sentence:
        '`compat` also accepts reports with [common mistakes](pipeline.md#the-compat-profile), which it corrects and tags',
    }),
    allowLoopbackRedirects: setting({
      read: toggle,
      default: false,
      sentence: 'allow http redirect URIs on 127.0.0.1, ::1 and localhost',
    }),
    refreshGraceSeconds: setting({
      read: count,
      default: 30,
      unit: 'N',
      sentence: 'how long a used refresh token gets the same answer again; 0 for never',
    }),
  },

  Relays: {
    allowPrivateRelays: setting({
      read: toggle,
      default: false,
      sentence: 'allow relay addresses in private networks',
    }),
    relayPorts: setting({
      read: ports,
      default: [],
      unit: 'A,B',
      sentence: 'ports allowed for relays besides 443 and 8443',
    }),
    relayCa: optional({
      read: text,
      unit: 'FILE',
      sentence:
        'PEM certificates that relays may use, besides those of public authorities; for example that of `posrep-relay listen`',
    }),
    relayRetention: setting({
      read: duration,
      default: duration('24h'),
      shownDefault: '24h',
      unit: 'TIME',
      sentence: 'how long a relay may fail, and how long deliveries to a relay that is not Active are kept',
    }),
    relayBacklog: setting({
      read: atLeastOne,
      default: 10_000,
      unit: 'N',
      sentence:
        'maximum number of pending deliveries to one relay; beyond it the oldest are dropped, and counted per device and in `posrep_dropped_total`',
    }),
    relayBacklogMib: setting({
      read: atLeastOne,
      default: 64,
      unit: 'N',
      sentence:
        'maximum size of the pending and buried deliveries to one relay, in MiB; beyond it the oldest are dropped, buried ones first, and counted like those beyond `--relay-backlog`',
    }),
  },

  'Recent reports and storage': {
    metricWindow: setting({
      read: duration,
      default: duration('1h'),
      shownDefault: '1h',
      unit: 'TIME',
      sentence: 'how long recent reports and metrics of devices are kept',
    }),
    recentLimit: setting({
      read: atLeastOne,
      default: 10_000,
      unit: 'N',
      sentence: 'maximum number of recent reports per device',
    }),
    recentMib: setting({
      read: atLeastOne,
      default: 64,
      unit: 'N',
      sentence:
        'maximum size of the recent reports of a device, in MiB; beyond it, or beyond `--recent-limit`, the oldest are deleted',
    }),
    clientMib: setting({
      read: atLeastOne,
      default: 4_096,
      unit: 'N',
      sentence:
        'maximum size of the recent reports of all sensors of a client, in MiB; the same for its deliveries, and for its waiting reports ([Storage of a client](#storage-of-a-client))',
    }),
  },

  'Air picture': {
    air: setting({
      read: oneOf('on', 'off'),
      default: 'on',
      unit: 'on|off',
      sentence:
        'the [air picture](air-picture.md): tracks of all sensors of an account, alerts and the map; with `off` nothing of it runs, and its operations are 404',
    }),
    airSeparation: setting({
      read: oneOf(...separationSettings),
      default: 'automatic',
      unit: 'PRESET',
      sentence: `limits of conflict alerts: ${separationSettings.map((preset) => `\`${preset}\``).join(', ')}`,
    }),
    airMap: optional({
      read: text,
      unit: 'FILE',
      sentence: 'JSON file of your [own map](air-picture.md#own-map): tiles, lines above the land, and a notice',
    }),
    airCot: setting({
      read: readCotDestinations,
      default: [],
      unit: 'ACCOUNT=URL,…',
      sentence:
        'send the air picture of an account to a [TAK server](air-picture.md#tak), as Cursor on Target: `ACCOUNT=tls://HOST:PORT`, or `tcp://` without encryption; `?ca=FILE&cert=FILE&key=FILE` names PEM files for TLS',
    }),
  },

  'Logs and metrics': {
    logFormat: optional({
      read: oneOf('pretty', 'json'),
      shownDefault: 'pretty on a terminal and with --demo, else json',
      unit: 'pretty|json',
      sentence: 'format of log lines',
    }),
    logLevel: optional({
      read: oneOf('debug', 'info', 'warn', 'error'),
      shownDefault: 'info; warn with --demo',
      unit: 'LEVEL',
      sentence: '`debug`, `info`, `warn` or `error`',
    }),
    metricsToken: optional({
      read: text,
      unit: 'TOKEN',
      sentence:
        'bearer token that allows any address to read `/metrics`; without it, only loopback addresses can read it',
      secret: (given) => given !== '',
    }),
  },
} as const

export const settingGroups: Record<string, Record<string, Setting<unknown>>> = groups

export const settingTable = {
  ...groups.Network,
  ...groups['Storage and processes'],
  ...groups['Origins and TLS'],
  ...groups.Start,
  ...groups['Sign-in and sensors'],
  ...groups.Relays,
  ...groups['Recent reports and storage'],
  ...groups['Air picture'],
  ...groups['Logs and metrics'],
} as const

type Table = typeof settingTable
export type Settings = { [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never }
