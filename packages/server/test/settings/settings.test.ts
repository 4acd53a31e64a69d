import { describe, expect, test } from 'vitest'
import { findUnknownVariables, resolveSettings, type SettingSources } from '../../src/settings/resolve-settings.ts'
import { toName, toVariable } from '../../src/settings/setting.ts'
import { settingTable } from '../../src/settings/setting-table.ts'

function settings(sources: Partial<SettingSources> = {}) {
  return resolveSettings({ flags: {}, environment: {}, ...sources })
}

test('every setting has a default', () => {
  expect(settings()).toMatchObject({
    host: '127.0.0.1',
    port: 8443,
    dataDir: '.posrep',
    memory: false,
    insecureHttp: false,
    demo: false,
    allowPrivateRelays: false,
    relayPorts: [],
    relayRetention: 24 * 3_600_000,
    metricWindow: 3_600_000,
    recentLimit: 10_000,
    recentMib: 64,
    maxConnections: 10_000,
    drainNoticeSeconds: 1,
    refreshGraceSeconds: 30,
    sensorIdPolicy: 'strict',
    allowLoopbackRedirects: false,
  })
})

describe('a setting', () => {
  const file = { port: 3 }
  const environment = { POSREP_PORT: '2' }

  test('is read from the flag, else from the environment, else from the file', () => {
    expect(settings({ flags: { port: '1' }, environment, file }).port).toBe(1)
    expect(settings({ environment, file }).port).toBe(2)
    expect(settings({ file }).port).toBe(3)
  })

  test('is read from the file with its key in either spelling', () => {
    expect(settings({ file: { 'data-dir': '/a' } }).dataDir).toBe('/a')
    expect(settings({ file: { dataDir: '/b' } }).dataDir).toBe('/b')
  })

  test('may be a JSON value in the file', () => {
    const file = { memory: true, 'relay-ports': [9443, 10443], 'refresh-grace-seconds': 0, seed: null }
    expect(settings({ file })).toMatchObject({
      memory: true,
      relayPorts: [9443, 10443],
      refreshGraceSeconds: 0,
      seed: undefined,
    })
  })

  test('that is on in the file can be turned off in the environment', () => {
    expect(settings({ environment: { POSREP_MEMORY: 'false' }, file: { memory: true } }).memory).toBe(false)
  })
})

test('the settings that scripts of operators rely on keep their names', () => {
  const contract =
    `host port trust-proxy data-dir memory redis redis-durability auth-origin ingest-origin ui-origin roles
    tls-cert tls-key insecure-http seed demo allow-private-relays open-registration metrics-token relay-ports
    relay-retention relay-backlog metric-window recent-limit refresh-grace-seconds sensor-id-policy ingest-profile
    allow-loopback-redirects log-format log-level`.split(/\s+/)
  const names = Object.keys(settingTable).map(toName)

  expect(contract.filter((name) => !names.includes(name))).toEqual([])
})

test('every setting has its own environment variable', () => {
  const variables = Object.keys(settingTable).map(toVariable)
  expect(new Set(variables).size).toBe(variables.length)
  expect(toVariable('allowPrivateRelays')).toBe('POSREP_ALLOW_PRIVATE_RELAYS')
})

test('variables that are no settings are found, except those of the agent', () => {
  const environment = { POSREP_PROT: '1', POSREP_PORT: '1', POSREP_CONFIG: 'a', POSREP_AGENT_STATE_DIR: 'b', HOME: '/' }

  expect(findUnknownVariables(environment)).toEqual(['POSREP_PROT'])
})

test.each([
  ['port', '0', 0],
  ['port', '65535', 65_535],
  ['relay-retention', '90s', 90_000],
  ['relay-retention', '15m', 900_000],
  ['relay-retention', '2d', 172_800_000],
  ['relay-ports', '9443, 10443', [9443, 10443]],
  ['trust-proxy', '2', 2],
  ['trust-proxy', '10.0.0.0/8, loopback,fd00::/8', ['10.0.0.0/8', 'loopback', 'fd00::/8']],
  ['auth-origin', 'https://Auth.Example.com/', 'https://auth.example.com'],
  ['auth-origin', 'https://auth.example.com:443', 'https://auth.example.com'],
  ['memory', 'on', true],
  ['memory', '0', false],
  ['sensor-id-policy', 'compat', 'compat'],
  ['log-level', 'debug', 'debug'],
  [
    'air-cot',
    'acme=tls://TAK.example.com:8089?ca=a%2Cb.pem&cert=c.pem&key=/k.pem, other=tcp://[::1]:8087',
    [
      {
        accountId: 'acme',
        host: 'tak.example.com',
        port: 8089,
        isTls: true,
        files: { ca: 'a,b.pem', cert: 'c.pem', key: '/k.pem' },
      },
      { accountId: 'other', host: '::1', port: 8087, isTls: false, files: {} },
    ],
  ],
])('--%s %s is read as %j', (name, text, value) => {
  const key = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(settings({ flags: { [name]: text } })).toMatchObject({ [key]: value })
})

describe('an error message has the name of the setting, the allowed values and the given value', () => {
  test.each([
    ['port', '65536', 'a port from 0 to 65535'],
    ['port', '-1', 'a port'],
    ['port', '8443x', 'a port'],
    ['port', '', 'a port'],
    ['memory', 'maybe', 'true or false'],
    ['host', '', 'a text of at least one character'],
    ['relay-retention', '24', 'a time such as "90s"'],
    ['relay-retention', '0s', 'a time'],
    ['relay-retention', '1w', 'a time'],
    ['relay-ports', '', 'ports such as'],
    ['relay-ports', '0', 'ports such as'],
    ['relay-ports', '9443;1', 'ports such as'],
    ['recent-limit', '0', 'a whole number from 1'],
    ['recent-mib', '0', 'a whole number from 1'],
    ['refresh-grace-seconds', '1.5', 'a whole number from 0'],
    ['trust-proxy', 'true', 'a number of hops, or addresses'],
    ['trust-proxy', '10.0.0.0/33', 'a number of hops, or addresses'],
    ['auth-origin', 'auth.example.com', 'an origin such as'],
    ['auth-origin', 'https://auth.example.com/path', 'an origin, with no path'],
    ['auth-origin', 'https://user@auth.example.com', 'an origin, with no path, query or user name'],
    ['auth-origin', 'ftp://auth.example.com', 'an origin'],
    ['sensor-id-policy', 'lax', '"strict" or "compat"'],
    ['log-format', 'xml', '"pretty" or "json"'],
    ['log-level', 'trace', '"debug" or "info"'],
    ['air-cot', 'tls://tak.example.com:8089', 'destinations such as "ACCOUNT=tls://'],
    ['air-cot', 'acme=tls://tak.example.com', 'destinations such as'],
    ['air-cot', 'acme=udp://tak.example.com:8089', 'destinations such as'],
    ['air-cot', 'acme=tls://tak.example.com:8089/path', 'destinations such as'],
    ['air-cot', 'acme=tls://tak.example.com:99999', 'destinations such as'],
    [
      'air-cot',
      'acme=tls://tak.example.com:8089?cert=a.pem',
      'destinations with "?ca=FILE&cert=FILE&key=FILE" at most',
    ],
    ['air-cot', 'acme=tls://tak.example.com:8089?crt=a.pem', 'destinations with "?ca=FILE'],
    ['air-cot', 'acme=tls://tak.example.com:8089?ca=', 'destinations with "?ca=FILE'],
    ['air-cot', 'acme=tcp://tak.example.com:8089?ca=a.pem', 'destinations with "?ca=FILE'],
  ])('for --%s "%s", which must be %s', (name, text, expectation) => {
    const attempt = () => settings({ flags: { [name]: text } })
    expect(attempt).toThrow(expect.objectContaining({ name: 'SettingsError' }))
    expect(attempt).toThrow(`--${name} must be ${expectation}`)
    expect(attempt).toThrow(`got "${text}"`)
  })

  test('for a wrong environment variable, with the name of the variable', () => {
    expect(() => settings({ environment: { POSREP_PORT: 'x' } })).toThrow(
      'POSREP_PORT must be a port from 0 to 65535, got "x"',
    )
  })

  test('for a wrong value in the file, with the key', () => {
    expect(() => settings({ file: { port: 'x' } })).toThrow('"port" in the configuration file must be a port')
  })

  test('for a key in the file that is no setting', () => {
    expect(() => settings({ file: { prot: 1 } })).toThrow('"prot" in the configuration file is not a setting')
  })
})

describe('settings that contradict each other', () => {
  test('a certificate is refused without its key, and a key without its certificate', () => {
    for (const name of ['tls-cert', 'tls-key']) {
      expect(() => settings({ flags: { [name]: 'a.pem' } })).toThrow('--tls-cert and --tls-key must be given together')
    }
    expect(settings({ flags: { 'tls-cert': 'a.pem', 'tls-key': 'b.pem' } }).tlsCert).toBe('a.pem')
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.example.com'])(
    'the demo is refused on "%s"',
    (host) => {
      expect(() => settings({ flags: { demo: true, host } })).toThrow(`runs on loopback only, got --host "${host}"`)
    },
  )

  test.each(['127.0.0.1', '127.3.2.1', 'localhost', '::1'])('the demo is allowed on "%s"', (host) => {
    expect(settings({ flags: { demo: true, host } }).demo).toBe(true)
  })

  test.each(['auth-origin', 'ingest-origin', 'ui-origin'])('the demo is refused with a public --%s', (name) => {
    for (const origin of ['https://demo.example.com', 'https://192.168.1.5:8443', 'https://localhost.example.com']) {
      expect(() => settings({ flags: { demo: true, [name]: origin } })).toThrow(
        `--demo has public passwords and needs origins on loopback, got --${name} "${origin}"`,
      )
    }
    for (const origin of ['https://localhost:9443', 'https://127.0.0.1:9443', 'https://[::1]:9443']) {
      expect(settings({ flags: { demo: true, [name]: origin } }).demo).toBe(true)
    }
  })

  const https = {
    'auth-origin': 'https://auth.example.com',
    'ingest-origin': 'https://ingest.example.com',
    'ui-origin': 'https://ui.example.com',
  }

  test('plain HTTP outside loopback is refused, unless every public origin is https', () => {
    const open = { 'insecure-http': true, host: '0.0.0.0' }
    expect(() => settings({ flags: open })).toThrow('--insecure-http needs')
    expect(() => settings({ flags: { ...open, ...https, 'ui-origin': 'http://ui.example.com' } })).toThrow(
      '--insecure-http needs',
    )
    expect(settings({ flags: { ...open, ...https } }).insecureHttp).toBe(true)
    expect(settings({ flags: { 'insecure-http': true } }).insecureHttp).toBe(true)
  })

  test('a public origin with http is refused while the server uses TLS', () => {
    expect(() => settings({ flags: { 'ui-origin': 'http://ui.example.com' } })).toThrow(
      'A public origin must be https, except with --insecure-http, got "http://ui.example.com"',
    )
  })
})
