/**
 * The settings of all commands.
 * In: nothing. Out: one function per setting that makes its option, with flag, variable and description. The key in the
 * settings file is the flag in camelCase.
 */
import { Option } from 'commander'

const value = (flags: string, description: string, variable: string) => () =>
  new Option(flags, description).env(`POSREP_AGENT_${variable}`)
// Commander takes every value of a variable as true, so applySettings() reads these variables.
const flag = (flags: string, description: string) => () => new Option(flags, description)

/** Under one heading of the help. */
function group<T extends Record<string, () => Option>>(title: string, members: T): T {
  const inGroup = Object.entries(members).map(([name, create]) => [name, () => create().helpGroup(title)])
  // The names are the same.
  return Object.fromEntries(inGroup) as T
}

const general = group('General:', {
  config: value('--config <file>', 'JSON file with settings', 'CONFIG'),
  json: flag('--json', 'print JSON, one object per line'),
})

const serviceAndSensor = group('Service and sensor:', {
  ingest: value('--ingest <url>', 'base address of the ingest, {base_url}', 'INGEST'),
  auth: value('--auth <url>', 'base address of the identity provider, {auth_url} (default: the ingest)', 'AUTH'),
  ui: value('--ui <url>', 'address of the portal, {surveillance_ui_url}, for the QR code (default: the ingest)', 'UI'),
  sensor: value('--sensor <id>', 'local ID of the sensor', 'SENSOR'),
  clientId: value('--client-id <id>', 'client ID; without it the sensor is paired', 'CLIENT_ID'),
  clientSecret: value('--client-secret <secret>', 'client secret; prefer the variable', 'CLIENT_SECRET'),
  ca: value(
    '--ca <file>',
    'PEM file of a private CA to trust, too, such as development-ca.pem of a local server',
    'CA',
  ),
  stateDir: value(
    '--state-dir <dir>',
    'folder of identity, spool and refused positions (default: .posrep-agent)',
    'STATE_DIR',
  ),
  adopt: flag('--adopt', 'take over an identity that was made on another machine'),
})

const positions = group('Where positions come from:', {
  readsb: value('--readsb <file or url>', 'read aircraft.json of readsb or dump1090', 'READSB'),
  readsbLogin: value(
    '--readsb-login <user:password>',
    'user and password that --readsb asks for; prefer the variable',
    'READSB_LOGIN',
  ),
  interval: value('--interval <seconds>', 'time between two reads of --readsb (default: 1)', 'INTERVAL'),
  sbs: value('--sbs <host:port>', 'read SBS (BaseStation) lines from a receiver', 'SBS'),
  stdin: flag('--stdin', 'read one JSON position per line from standard input'),
  remoteId: flag('--remote-id', 'read one Remote ID message per line from standard input'),
  replay: value('--replay <file>', 'play a recording with current timestamps', 'REPLAY'),
  http: value('--http <[host:]port>', 'take positions by POST /positions', 'HTTP'),
  httpToken: value('--http-token <token>', 'bearer token that --http requires', 'HTTP_TOKEN'),
  udp: value('--udp <[host:]port>', 'take positions from UDP datagrams', 'UDP'),
  simulate: value('--simulate <pattern>', 'simulate aircraft: circles or encounters', 'SIMULATE'),
  targets: value('--targets <n>', 'number of simulated aircraft (default: 10)', 'TARGETS'),
  speed: value('--speed <factor>', 'speed of --replay; 2 is twice as fast as recorded', 'SPEED'),
  loop: flag('--loop', 'start --replay again at its end'),
  timeZone: value('--time-zone <zone>', 'time zone of the dates in SBS lines (default: UTC)', 'TIME_ZONE'),
  takeoffHeight: value('--takeoff-height <as>', 'Remote ID heights above take-off: info or agl', 'TAKEOFF_HEIGHT'),
  correctClock: flag(
    '--correct-clock',
    "correct the times that sources take from this machine's clock, when it is wrong",
  ),
})

const spooling = group('Spool and status page:', {
  spoolMegabytes: value('--spool-megabytes <n>', 'limit of the spool on disk (default: 256)', 'SPOOL_MEGABYTES'),
  durability: value(
    '--durability <mode>',
    'spool: file, or memory-first to spare an SD card (default: file)',
    'DURABILITY',
  ),
  whenFull: value('--when-full <mode>', 'spool: drop the oldest, or thin-per-target (default: oldest)', 'WHEN_FULL'),
  status: value(
    '--status <[host:]port>',
    'address of /healthz, /metrics and /status, or off (default: 8095)',
    'STATUS',
  ),
})

const own = group('Of this command:', {
  timeoutSeconds: value(
    '--timeout-seconds <n>',
    'stop waiting for Pair after this time (default: 300)',
    'TIMEOUT_SECONDS',
  ),
  print: flag('--print', 'print the unit instead of writing it'),
})

export const options = { ...general, ...serviceAndSensor, ...positions, ...spooling, ...own } as const

export type SettingName = keyof typeof options

const service = [options.config, options.json, options.ingest, options.auth, options.sensor, options.ca]
const state = [options.stateDir, options.adopt]
const identity = [...service, options.clientId, options.clientSecret, ...state]
const sources = [
  options.readsb,
  options.readsbLogin,
  options.interval,
  options.sbs,
  options.stdin,
  options.remoteId,
  options.replay,
  options.http,
  options.httpToken,
  options.udp,
  options.simulate,
  options.targets,
  options.speed,
  options.loop,
  options.timeZone,
  options.takeoffHeight,
]
const spool = [options.spoolMegabytes, options.durability, options.whenFull]

/** The options of each command. */
export const optionsOf = {
  run: [...identity, options.ui, ...sources, options.correctClock, ...spool, options.status],
  pair: [...service, options.ui, ...state, options.timeoutSeconds],
  // It takes the flags of `pair` and `doctor`, so that a user need not take them from the line.
  status: [...identity, options.ui],
  doctor: [...identity, options.ui, ...sources],
  lint: [options.json],
  config: [...identity, options.ui, ...sources, options.correctClock, ...spool, options.status],
  identity: [options.config, options.json, options.stateDir, options.adopt],
  refused: [...identity],
  installService: [options.config, options.json, options.print],
} satisfies Record<string, readonly (() => Option)[]>
