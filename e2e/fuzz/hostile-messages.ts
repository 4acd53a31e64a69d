/**
 * Relay messages of every kind of wrong: headers, signatures, bytes, JSON, values.
 * In: a sender, random choices. Out: requests, each with whether it is a whole message, which must be accepted.
 */
import type { TestMessage, TestSender } from '@posrep/relay-receiver/testing'
import type { Random } from '../soak/random.ts'

export interface Hostile {
  /** The kind, for the description of a fault. */
  what: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
  /** True for a message that must be accepted; false for one that must be refused. */
  isWhole: boolean
  request(): Request
}

type Json = Record<string, unknown>

/** Each is wrong for every member that it replaces below. */
const junk = [null, true, -1e308, '\u0000', '\ud800', 'x'.repeat(300), [], [[]], ['a'], 91.5e9, { a: {} }]

export async function createHostileRequests(sender: TestSender, random: Random): Promise<() => Promise<Hostile>> {
  const pick = <T>(choices: readonly T[]): T => choices[random.whole(0, choices.length - 1)] as T

  const kinds: Record<
    string,
    () => Promise<{ message: TestMessage; bytes?: Uint8Array<ArrayBuffer>; isWhole?: true }>
  > = {
    'a whole report': async () => ({ message: await sender.report(), isWhole: true }),
    'a whole validation': async () => ({ message: await sender.validation(), isWhole: true }),
    'a value of a wrong type': async () => ({ message: await sender.sign(JSON.stringify(brokenMessage())) }),
    'a text that was cut off': async () => {
      const { body } = await sender.report()
      return { message: await sender.sign(body.slice(0, random.whole(0, body.length - 1))) }
    },
    'a text with a stray character': async () => {
      const { body } = await sender.report()
      const at = random.whole(0, body.length)
      // Outside of a string each of these breaks JSON; inside of one, a control character does.
      return { message: await sender.sign(`${body.slice(0, at)}\u0001${body.slice(at)}`) }
    },
    'deep nesting': async () => {
      const open = pick(['[', '{"a":', '[[{"a":'])
      return { message: await sender.sign(open.repeat(random.whole(34, 5_000))) }
    },
    'random text': async () => ({ message: await sender.sign(randomText()) }),
    'a signature of another key': async () => ({ message: await sender.forged(await sender.report()) }),
    'no signature': async () => ({ message: sender.unsigned(await sender.report()) }),
    'another time': async () => ({
      message: await sender.late(await sender.report(), pick([-1, 1]) * random.whole(310_000, 1e12)),
    }),
    'a device that is not pinned': async () => ({ message: await sender.report(undefined, { id: hostileId() }) }),
    'a changed header': async () => ({ message: withHostileHeader(await sender.report()) }),
    'a changed byte': async () => {
      const message = await sender.report()
      return { message, bytes: withChangedByte(message.body) }
    },
    'a body over the limit': async () => ({ message: await sender.sign(' '.repeat(64 * 1024 + 1)) }),
  }
  // Messages are reused: signing costs more than what is tested.
  const names = Object.keys(kinds)
  const pools = new Map<string, Hostile[]>()

  return async () => {
    const what = pick(names)
    const pool = pools.get(what) ?? []
    pools.set(what, pool)
    if (pool.length >= 200 && !random.chance(0.05)) return pick(pool)
    const made = await kinds[what]?.()
    if (!made) throw new Error(`There is no kind "${what}"`)
    const hostile = toHostile(what, made)
    if (pool.length < 200) pool.push(hostile)
    else pool[random.whole(0, pool.length - 1)] = hostile
    return hostile
  }

  function brokenMessage(): unknown {
    const position = {
      id: 'a',
      sourceTimeStamp: '2026-01-07T12:00:30Z',
      position: { lat: 60, lon: 24 },
      altitudes: [{ height: 1, datum: 'wgs84' }],
      target: { ids: [{ id: 'a', type: 'ICAO' }] },
    }
    const report = { sensor: { id: 'roof1' }, positions: [position, structuredClone(position)] }
    const message: Json = random.chance(0.2)
      ? { name: 'validate', version: '1.0', validationCode: crypto.randomUUID() }
      : { name: 'position_report', version: '1.0', positionReport: report }
    const requiredPaths: (string | number)[][] = [
      ['name'],
      ['version'],
      ...(message.name === 'validate' ? [['validationCode']] : reportPaths),
    ]
    return random.chance(0.1) ? pick<unknown>(junk) : broken(message, pick(requiredPaths))
  }

  /** Replaces or removes one required member. */
  function broken(message: Json, path: (string | number)[]): Json {
    const parents = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(Object(at), key), message)
    const key = path.at(-1) ?? ''
    if (random.chance(0.3)) Reflect.deleteProperty(Object(parents), key)
    else Reflect.set(Object(parents), key, pick(junk))
    return message
  }

  function randomText(): string {
    const alphabet = [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '0',
      'e',
      '-',
      'null',
      '__proto__',
      '\u2028',
      '\u{1f600}',
      ' ',
    ]
    return Array.from({ length: random.whole(0, 200) }, () => pick(alphabet)).join('')
  }

  function hostileId(): string {
    return pick([
      'urn:aa:device:acme:roof2/1',
      'urn:aa:device:acme:roof1',
      'urn:aa:device:acme:roof1/a/b',
      'urn%3Aaa%3Adevice%3Aacme%3Aroof1%00/1',
      '%FF/1',
      '/',
      'x'.repeat(3_000),
    ])
  }

  function withHostileHeader({ headers, body }: TestMessage): TestMessage {
    const [name, value] = pick([
      ['content-type', pick(['', 'text/json', 'application/json; charset=utf-16', `${';'.repeat(5_000)}`])],
      ['content-encoding', pick(['gzip', 'br', 'x', 'gzip, identity'])],
      ['webhook-timestamp', pick(['', '-1', 'NaN', '1e9', '0x1', '99999999999999999999'])],
      [
        'webhook-signature',
        pick(['', 'v1a,', 'v1,x', ' '.repeat(5_000), `v1a,${'A'.repeat(86)}==`, 'v1a,A '.repeat(2_000)]),
      ],
      ['webhook-id', pick(['', 'a', 'urn:aa:device:acme:roof1/other'])],
      ['content-length', pick(['99999999999', '70000'])],
    ] as const)
    return { headers: { ...headers, [name]: value }, body }
  }

  function withChangedByte(text: string): Uint8Array<ArrayBuffer> {
    const bytes = new TextEncoder().encode(text)
    const at = random.whole(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ random.whole(1, 255)
    return bytes
  }
}

/** Members for which every value of `junk` is wrong. */
const reportPaths: (string | number)[][] = [
  ['positionReport'],
  ['positionReport', 'positions'],
  ...[0, 1].flatMap((n) =>
    [['id'], ['sourceTimeStamp'], ['position'], ['position', 'lat'], ['position', 'lon'], ['altitudes', 0]].map(
      (path) => ['positionReport', 'positions', n, ...path],
    ),
  ),
]

function toHostile(
  what: string,
  { message, bytes, isWhole = false }: { message: TestMessage; bytes?: Uint8Array<ArrayBuffer>; isWhole?: boolean },
): Hostile {
  const { headers } = message
  const body = bytes ?? new TextEncoder().encode(message.body)
  const request = () => new Request('https://relay.example.net/', { method: 'POST', headers, body })
  return { what, headers, body, isWhole, request }
}
