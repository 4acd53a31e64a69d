/** Administration commands on a running server: changes take effect without a restart. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aRelay } from '../parts/a-relay.ts'
import {
  aServerLocation,
  type Ended,
  ownProgram,
  runToEnd,
  type ServerLocation,
  type ServerProcess,
  startCommand,
  startServer,
  startShell,
} from '../parts/server-process.ts'
import { signInAndApprove } from '../parts/sign-in.ts'
import { trust } from '../parts/trust.ts'

const password = 'correct horse 42'
const redirectUri = 'https://map.example/callback'
let location: ServerLocation
let server: ServerProcess

beforeAll(async () => {
  location = await aServerLocation()
  server = await startServer(location)
  trust(server.certificate.ca)
  await done('accounts', 'add', 'acme', '--name', 'Acme Sensing')
})

afterAll(async () => {
  await server.stop()
  await location.remove()
})

function posrep(args: string[], input?: string): Promise<Ended> {
  return runToEnd([...args, '--data-dir', join(location.folder, 'data')], {}, input)
}

/** The command's output with `--json`. */
async function done(...args: string[]) {
  const { code, stdout, stderr } = await posrep([...args, '--json'])
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

async function requestToken(fields: Record<string, string>): Promise<{ status: number; accessToken: string }> {
  const response = await fetch(new URL('/oauth/v2/token', server.ready.authOrigin), {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const body = await response.json()
  return { status: response.status, accessToken: body.access_token ?? '' }
}

function deviceToken(client: { id: string; secret: string }, localId: string) {
  return requestToken({
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
    device_id: localId,
  })
}

const report = {
  positions: [{ id: '461f9c', sourceTimeStamp: '2026-01-07T12:00:30.250Z', position: { lat: 60.31721, lon: 24.9633 } }],
}

async function sendReport(accessToken: string): Promise<number> {
  const response = await fetch(new URL('/v1/position-reports', server.ready.ingestOrigin), {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(report),
  })
  return response.status
}

/** A client with one sensor, and a token of the sensor. */
async function aFleet(id: string) {
  const client = await done('clients', 'add', id, '--account', 'acme')
  const sensor = await done('sensors', 'add', `${id}1`, '--client', id, '--name', 'Roof')
  const { status, accessToken } = await deviceToken(client, sensor.localId)
  expect(status).toBe(200)
  expect(await sendReport(accessToken)).toBe(202)
  return { client, sensor, accessToken }
}

async function endsWithinASecond(accessToken: string): Promise<void> {
  await until('the token is refused', async () => (await sendReport(accessToken)) === 401)
}

test('a new client gets tokens for a new sensor; a disabled client gets none, and its earlier tokens end', async () => {
  const { client, sensor, accessToken } = await aFleet('fleet')
  expect(sensor).toMatchObject({ urn: 'urn:aa:device:fleet:fleet1', account: 'acme', blocked: false })

  await done('clients', 'disable', 'fleet')
  expect(await deviceToken(client, sensor.localId)).toMatchObject({ status: 401 })
  await endsWithinASecond(accessToken)

  await done('clients', 'enable', 'fleet')
  const { accessToken: next } = await deviceToken(client, sensor.localId)
  expect(await sendReport(next)).toBe(202)
  expect(await sendReport(accessToken)).toBe(401)
})

test('a blocked sensor gets no token until it is unblocked, and its earlier tokens end', async () => {
  const { client, sensor, accessToken } = await aFleet('masts')
  await done('sensors', 'block', sensor.urn)
  expect((await deviceToken(client, sensor.localId)).status).toBeGreaterThanOrEqual(400)
  await endsWithinASecond(accessToken)
  await done('sensors', 'unblock', sensor.urn)
  expect((await deviceToken(client, sensor.localId)).status).toBe(200)
})

test('a removed sensor gets no token, and its earlier tokens end', async () => {
  const { client, sensor, accessToken } = await aFleet('towers')
  await done('sensors', 'remove', sensor.localId)
  expect((await deviceToken(client, sensor.localId)).status).toBe(400)
  await endsWithinASecond(accessToken)
})

test('a sensor that registered itself under the local ID of another account is paired only after an operator allows it', async () => {
  await done('accounts', 'add', 'partners', '--name', 'Partners')
  const first = await done('clients', 'add', 'first', '--account', 'acme', '--partner')
  const second = await done('clients', 'add', 'second', '--account', 'partners', '--partner')
  for (const client of [first, second]) expect((await deviceToken(client, 'shared1')).status).toBe(200)
  const urn = 'urn:aa:device:second:shared1'

  const refused = await posrep(['devices', 'pair', urn])
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain(`posrep-server devices allow-pairing ${urn}\n`)
  expect((await posrep(['devices', 'list', '--account', 'partners'])).stdout).toMatch(
    /PAIRING\n.*second:shared1.* refused\n/,
  )

  const allowed = await posrep(['devices', 'allow-pairing', urn])
  expect([allowed.code, allowed.stdout]).toEqual([0, `The device "${urn}" of the account "partners" may be paired\n`])
  expect(JSON.parse(allowed.stderr)).toMatchObject({
    audit: { event: 'pairing-allowed', deviceUrn: urn, otherUrns: ['urn:aa:device:first:shared1'] },
  })
  expect(await done('devices', 'allow-pairing', urn)).toMatchObject({ urn, mayBePaired: true })
  expect(await done('devices', 'pair', urn)).toMatchObject({ urn })
})

test('a sensor that is removed with --release-local-id leaves its local ID to another account at once', async () => {
  await done('accounts', 'add', 'heirs', '--name', 'Heirs')
  const owner = await done('clients', 'add', 'owner', '--account', 'acme', '--partner')
  const heir = await done('clients', 'add', 'heir', '--account', 'heirs', '--partner')
  for (const localId of ['kept1', 'left1'])
    for (const client of [owner, heir]) expect((await deviceToken(client, localId)).status).toBe(200)

  await done('sensors', 'remove', 'urn:aa:device:owner:kept1')
  await done('sensors', 'remove', 'urn:aa:device:owner:left1', '--release-local-id')

  expect((await posrep(['devices', 'pair', 'urn:aa:device:heir:kept1'])).stderr).toContain('allow-pairing')
  expect((await posrep(['devices', 'pair', 'urn:aa:device:heir:left1'])).code).toBe(0)
})

test('a URN part that another account had is taken with --reuse-trusted-urn-part only', async () => {
  await done('accounts', 'add', 'successors', '--name', 'Successors')
  await done('clients', 'add', 'trusted', '--account', 'acme')
  await done('clients', 'remove', 'trusted')
  const add = ['clients', 'add', 'trusted', '--account', 'successors']

  const refused = await posrep(add)
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('accept that with --reuse-trusted-urn-part')
  expect(await done(...add, '--reuse-trusted-urn-part')).toMatchObject({ id: 'trusted', account: 'successors' })
})

test('a replaced secret stays valid beside the new one until it is dropped', async () => {
  const { client } = await aFleet('rotating')
  const rotated = await done('clients', 'rotate-secret', 'rotating')
  expect(rotated.secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const statuses = async () => [
    (await deviceToken(client, 'rotating1')).status,
    (await deviceToken(rotated, 'rotating1')).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  await done('clients', 'drop-secret', 'rotating')
  expect(await statuses()).toEqual([401, 200])

  const emergency = await done('clients', 'rotate-secret', 'rotating', '--drop-old')
  expect(await statuses()).toEqual([401, 401])
  expect((await deviceToken(emergency, 'rotating1')).status).toBe(200)
})

test('a client that loses a scope loses its tokens, and is removed once it has no sensors', async () => {
  const { client, sensor, accessToken } = await aFleet('leaving')
  expect(
    await done('clients', 'update', 'leaving', '--name', 'Leaving', '--scopes', 'surveillance_api,more'),
  ).toMatchObject({
    name: 'Leaving',
    grants: client.grants,
  })
  expect(await sendReport(accessToken)).toBe(202)
  await done('clients', 'update', 'leaving', '--scopes', 'surveillance_api')
  await endsWithinASecond(accessToken)

  const refused = await posrep(['clients', 'remove', 'leaving'])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `posrep-server: The client "leaving" has sensors, such as "${sensor.urn}"; remove them first: posrep-server sensors list --client leaving\n`,
  ])
  const { accessToken: last } = await deviceToken(client, sensor.localId)
  expect(await sendReport(last)).toBe(202)
  await done('sensors', 'remove', sensor.urn)
  await done('clients', 'remove', 'leaving')
  await endsWithinASecond(last)
  expect((await deviceToken(client, sensor.localId)).status).toBe(401)
})

test('the relay of a device is set, tested and shown, and an address that fails does not replace it', async () => {
  await aFleet('relayed')
  const { cert, key } = server.certificate
  const relay = await aRelay({ cert, key, from: server.ready.authOrigin, clientParts: ['relayed'] })
  const flags = [
    '--data-dir',
    join(location.folder, 'data'),
    '--allow-private-relays',
    '--relay-ports',
    new URL(relay.url).port,
  ]
  const onRelay = (...args: string[]) => runToEnd(['devices', 'relay', ...args, ...flags])

  const early = await onRelay('test', 'relayed1')
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringMatching(/is not set; to set it: posrep-server devices relay set urn:\S+ https:/),
  ])
  const set = await onRelay('set', 'relayed1', relay.url)
  expect(set.stdout).toContain(`is Active: ${relay.url}`)
  expect(set.stdout).toMatch(/to try it first: posrep-server devices relay test urn:\S+:relayed1\n$/)
  const tested = await onRelay('test', 'relayed1')
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringMatching(/accepted the test message: 2\d\d in \d+ ms/)])
  expect(relay.received.at(-1)?.report.positions[0]).toMatchObject({ additionalInfo: { test: true } })

  const repair = relay.breakWith(500)
  const failed = await onRelay('test', 'relayed1')
  expect([failed.code, failed.stdout]).toEqual([1, ''])
  expect(failed.stderr).toMatch(/did not accept the test message: .*500; the log of the receiver/)
  repair()

  const wrong = await onRelay('set', 'relayed1', 'https://localhost:9/', '--relay-ports', '9')
  expect([wrong.code, wrong.stdout]).toEqual([1, ''])
  expect(wrong.stderr).toMatch(/nothing listens .* Nothing was changed: the relay of .* stays Active: https:\S+\n$/)
  const shown = await posrep(['devices', 'relay', 'show', 'relayed1'])
  expect(shown.stdout).toMatch(new RegExp(`^RELAY +${relay.url}\nSTATE +Active\n`, 'm'))
  await relay.stop()
})

test('a pairing that is waited for says who got the tokens', async () => {
  await aFleet('awaited')
  const pairing = startCommand(['devices', 'pair', 'awaited1', '--wait', '--data-dir', join(location.folder, 'data')])
  await until('the window is open', () => pairing.output().includes('can get its tokens until'))
  const url = new URL('/v1/pairing-tokens/consume-token?clientUniqueId=awaited1', server.ready.ingestOrigin)
  const { status } = await fetch(url, { method: 'POST', headers: { 'user-agent': 'our-sensor/1.2.3' } })
  expect(status).toBe(200)
  expect(await pairing.exited).toBe(0)
  expect(pairing.output()).toMatch(
    /The device "awaited1" got its tokens: from (127\.0\.0\.1|::1), with our-sensor\/1\.2\.3\n$/,
  )
})

describe('reports tail', () => {
  const data = () => ['--data-dir', join(location.folder, 'data')]

  test('prints each new report of the chosen device, until Ctrl+C', async () => {
    const { sensor, accessToken } = await aFleet('followed')
    const { accessToken: other } = await aFleet('unheeded')
    const tail = startCommand(['reports', 'tail', '--device', 'followed1', '--json', ...data()])
    await until('it follows', async () => {
      expect(await sendReport(other)).toBe(202)
      expect(await sendReport(accessToken)).toBe(202)
      return tail.output().includes('\n')
    })
    expect(await tail.interrupt()).toBe(0)
    const [first] = tail
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(first).toMatchObject({ urn: sensor.urn, positions: 1, report })
    expect(tail.output()).not.toContain('unheeded')

    const { lastReportAt } = (await done('devices', 'list', '--account', 'acme')).find(
      ({ urn }: { urn: string }) => urn === sensor.urn,
    )
    expect(Date.parse(lastReportAt)).toBeGreaterThanOrEqual(Date.parse(first.receivedAt))
  })

  test('ends without an error when the reader closes the pipe', async () => {
    const { accessToken } = await aFleet('piped')
    const command = `'${ownProgram}' reports tail ${data().join(' ')} | head -1; echo "exit \${PIPESTATUS[0]}"`
    const shell = startShell(command)
    await until('it has ended', async () => {
      expect(await sendReport(accessToken)).toBe(202)
      return shell.output().includes('exit')
    })
    expect(shell.output()).toMatch(/^\S+Z {2}urn:aa:device:piped:piped1 {2}1 position.*\nexit 0\n$/)
  })
})

describe('users', () => {
  const email = 'pilot@example.com'

  async function userToken(app: { id: string; secret: string }, secret = password, user = email): Promise<string> {
    const query = { response_type: 'code', client_id: app.id, redirect_uri: redirectUri, scope: 'surveillance_api' }
    const url = new URL(`/oauth/v2/authorize?${new URLSearchParams(query)}`, server.ready.authOrigin)
    const callback = await signInAndApprove({ url: url.href }, { email: user, password: secret }, redirectUri)
    const { accessToken } = await requestToken({
      grant_type: 'authorization_code',
      code: new URL(callback).searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      client_id: app.id,
      client_secret: app.secret,
    })
    return accessToken
  }

  async function seesDevices(accessToken: string): Promise<string[] | number> {
    const response = await fetch(new URL('/v1/devices', server.ready.uiOrigin), {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    if (response.status !== 200) return response.status
    return (await response.json()).data.map(({ deviceId }: { deviceId: string }) => deviceId)
  }

  test('can sign in at once, and a new password, a move and disabling end their tokens', async () => {
    await done('accounts', 'add', 'beta', '--name', 'Beta')
    const app = await done('clients', 'add', 'map-view', '--account', 'beta', '--redirect-uri', redirectUri)
    const added = await posrep(['users', 'add', email, '--account', 'beta', '--password-stdin', '--json'], password)
    expect(JSON.parse(added.stdout)).toMatchObject({ email, account: 'beta', disabled: false })
    const first = await userToken(app)
    expect(await seesDevices(first)).toEqual([])

    expect((await posrep(['users', 'set-password', email, '--password-stdin'], 'battery staple 7')).code).toBe(0)
    await until('the token is refused', async () => (await seesDevices(first)) === 401)

    const second = await userToken(app, 'battery staple 7')
    await done('accounts', 'add', 'gamma')
    await done('clients', 'add', 'gamma-fleet', '--account', 'gamma')
    await done('sensors', 'add', 'roof1', '--client', 'gamma-fleet')
    await done('users', 'move', email, '--account', 'gamma')
    await until('the token is refused', async () => (await seesDevices(second)) === 401)
    const third = await userToken(app, 'battery staple 7')
    expect(await seesDevices(third)).toEqual(['urn:aa:device:gamma-fleet:roof1'])

    await done('users', 'disable', email)
    await until('the token is refused', async () => (await seesDevices(third)) === 401)
    await expect(userToken(app, 'battery staple 7')).rejects.toThrow('No form with the button "Approve"')
  })

  test('that are removed have no valid tokens and cannot sign in, and their account can be removed', async () => {
    const leaver = 'leaver@example.com'
    await done('accounts', 'add', 'delta')
    const app = await done('clients', 'add', 'delta-view', '--account', 'delta', '--redirect-uri', redirectUri)
    await posrep(['users', 'add', leaver, '--account', 'delta', '--password-stdin'], password)
    const token = await userToken(app, password, leaver)
    expect(await seesDevices(token)).toEqual([])

    await done('users', 'remove', leaver)
    await until('the token is refused', async () => (await seesDevices(token)) === 401)
    await expect(userToken(app, password, leaver)).rejects.toThrow('No form with the button "Approve"')

    const refused = await posrep(['accounts', 'remove', 'delta'])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The account "delta" has clients')])
    await done('clients', 'remove', 'delta-view')
    await done('accounts', 'remove', 'delta')
    expect(await done('accounts', 'list')).not.toContainEqual(expect.objectContaining({ id: 'delta' }))
  })
})

test('the storage contains no secret of a client or user in clear text', async () => {
  const secret = 'a-secret-that-somebody-chose'
  const given = await posrep(['clients', 'add', 'chosen', '--account', 'acme', '--secret-stdin', '--json'], secret)
  expect(JSON.parse(given.stdout)).not.toHaveProperty('secret')
  const { secret: made } = await done('clients', 'add', 'made', '--account', 'acme')
  const files = ['posrep.sqlite', 'posrep.sqlite-wal'].map((file) => readFile(join(location.folder, 'data', file)))
  const bytes = Buffer.concat(await Promise.all(files))
  expect(bytes.includes('client:made') || bytes.includes('"made"')).toBe(true)
  for (const clear of [secret, made, password, 'battery staple 7']) expect(bytes.includes(clear)).toBe(false)
})

describe('an import', () => {
  const count = 15_000
  const list = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}${n},importer,"Sensor, number ${n}"`).join('\n')

  beforeAll(async () => {
    await done('clients', 'add', 'importer', '--account', 'acme')
  })

  async function countSensors(): Promise<number> {
    return (await done('sensors', 'list', '--client', 'importer')).length
  }

  async function aFile(name: string, text: string): Promise<string> {
    const file = join(location.folder, name)
    await writeFile(file, text)
    return file
  }

  test('with invalid lines reports each of them and registers nothing', async () => {
    const file = await aFile('bad.csv', 'local_id,client_id,name\ngood1,importer,Good\nbad 1,importer\ngood2,nobody\n')
    const { code, stdout, stderr } = await posrep(['sensors', 'import', file])
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('line 3: the local ID "bad 1" must be 1 to 255 letters and digits'),
      expect.stringContaining('line 4: there is no client "nobody"'),
      expect.stringContaining('Nothing was registered: 2 lines'),
    ])
    expect(await countSensors()).toBe(0)
  })

  test('of 15,000 sensors runs while reports are accepted or refused with 503', async () => {
    const { accessToken } = await aFleet('meanwhile')
    const answers: Promise<number>[] = []
    const asking = setInterval(() => answers.push(sendReport(accessToken)), 100)
    const outcome = await done('sensors', 'import', await aFile('many.csv', list('many', count)))
    clearInterval(asking)
    expect(outcome).toEqual({ registered: count, badLines: [] })
    for (const status of await Promise.all(answers)) expect([202, 503]).toContain(status)
    expect(await sendReport(accessToken)).toBe(202)
    expect(await countSensors()).toBe(count)
    // The import uses about half of the time; on a busy machine less.
  })

  test('that is killed registers all sensors or none', async () => {
    const file = await aFile('killed.csv', list('killed', 20_000))
    const before = await countSensors()
    for (const afterMs of [450, 600, 800]) {
      const importing = startCommand(['sensors', 'import', file, '--data-dir', join(location.folder, 'data')])
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      await importing.kill()
      expect([before, before + 20_000]).toContain(await countSensors())
    }
  })

  test('reads the sensors from standard input', async () => {
    const { stdout, stderr } = await posrep(['sensors', 'import', '-'], 'stdin1,importer,Piped\n')
    expect([stdout, stderr]).toEqual(['Registered 1 sensor\n', ''])
  })
})

describe('a command', () => {
  const cases: Record<string, { args: string[]; code: number; says: string }> = {
    'that names a missing record exits with 1': {
      args: ['sensors', 'block', 'nowhere'],
      code: 1,
      says: 'There is no sensor "nowhere"',
    },
    'that adds an existing id exits with 1': {
      args: ['accounts', 'add', 'acme'],
      code: 1,
      says: 'The account "acme" already exists; choose another id',
    },
    'with a wrong argument exits with 2': {
      args: ['clients', 'add', 'x', '--account', 'acme', '--grants', 'password'],
      code: 2,
      says: '--grants must be authorization_code, refresh_token or client_credentials, got "password"',
    },
    'without a required argument exits with 2': {
      args: ['clients', 'add', 'x'],
      code: 2,
      says: "required option '--account <ID>' not specified",
    },
    'that does not exist exits with 2': {
      args: ['accounts', 'show', 'acme'],
      code: 2,
      says: "unknown command 'show'",
    },
  }

  for (const [what, { args, code, says }] of Object.entries(cases)) {
    test(`${what} and prints one line on standard error`, async () => {
      const ended = await posrep(args)
      expect(ended.stderr).toContain(says)
      expect(ended.stderr.trim().split('\n')).toHaveLength(1)
      expect(ended.stdout).toBe('')
      expect(ended.code).toBe(code)
    })
  }

  test('on a folder without a database fails with a message and creates no database', async () => {
    const folder = join(location.folder, 'elsewhere')
    const { code, stderr } = await runToEnd(['accounts', 'list', '--data-dir', folder])
    expect(stderr).toContain(`--data-dir "${folder}" cannot be used: it contains no database`)
    expect(code).toBe(2)
    await expect(readFile(join(folder, 'posrep.sqlite'))).rejects.toThrow('ENOENT')
  })

  test('prints a table without --json', async () => {
    const { stdout } = await posrep(['accounts', 'list'])
    expect(stdout).toMatch(/^acme +Acme Sensing$/m)
  })

  test('reads its settings from the environment and the configuration file', async () => {
    const config = join(location.folder, 'posrep.json')
    await writeFile(config, JSON.stringify({ dataDir: join(location.folder, 'data'), port: 9000 }))
    const { stdout } = await runToEnd(['accounts', 'list', '--json'], { POSREP_CONFIG: config })
    expect(JSON.parse(stdout)).toContainEqual({ id: 'acme', name: 'Acme Sensing' })
  })
})
