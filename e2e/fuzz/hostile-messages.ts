/**
 * Relay messages of every kind of wrong: headers, signatures, bytes, JSON, values.
 * In: a sender, random choices. Out: requests, each with how it must be answered.
 */
import type { TestMessage, TestSender } from '@posrep/relay-receiver/testing'
import type { Random } from '../soak/random.ts'

/**
 * `accepted`: the signed part is a whole message. `set aside`: the sender has signed it, and it is wrong.
 * `sent again`: an intermediary may have changed it, or the receiver is set for other devices; both can be corrected.
 */
export type Outcome = 'accepted' | 'set aside' | 'sent again'

export interface Hostile {
  /** The kind, for the description of a fault. */
  what: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
  expected: Outcome
  request(): Request
}

type Json = Record<string, unknown>
type Header = readonly [name: string, value: string]
/** A changed body may not be text. */
type Made = TestMessage | Pick<Hostile, 'headers' | 'body'>
type Kind = [expected: Outcome, make: () => Promise<Made>]

/** Each is wrong for every member that it replaces below. */
const junk = [null, true, -1e308, '\u0000', '\ud800', 'x'.repeat(300), [], [[]], ['a'], 91.5e9, { a: {} }]

export async function createHostileRequests(sender: TestSender, random: Random): Promise<() => Promise<Hostile>> {
  const pick = <T>(choices: readonly T[]): T => choices[random.whole(0, choices.length - 1)] as T

  const kinds: Record<string, Kind> = {
    'a whole report': ['accepted', () => sender.report()],
    'a whole validation': ['accepted', () => sender.validation()],
    'a changed header that is not signed': [
      'accepted',
      async () => withHeader(await sender.report(), unsignedHeader()),
    ],
    'a value of a wrong type': ['set aside', () => sender.sign(JSON.stringify(brokenMessage()))],
    'a text that was cut off': [
      'set aside',
      async () => {
        const { body } = await sender.report()
        return sender.sign(body.slice(0, random.whole(0, body.length - 1)))
      },
    ],
    'a text with a stray character': [
      'set aside',
      async () => {
        const { body } = await sender.report()
        const at = random.whole(0, body.length)
        // Outside of a string each of these breaks JSON; inside of one, a control character does.
        return sender.sign(`${body.slice(0, at)}\u0001${body.slice(at)}`)
      },
    ],
    'deep nesting': ['set aside', () => sender.sign(pick(['[', '{"a":', '[[{"a":']).repeat(random.whole(34, 5_000)))],
    'random text': ['set aside', () => sender.sign(randomText())],
    'a body over the limit': ['set aside', () => sender.sign(' '.repeat(64 * 1024 + 1))],
    'a signature of another key': ['sent again', async () => sender.forged(await sender.report())],
    'no signature': ['sent again', async () => sender.unsigned(await sender.report())],
    'another time': [
      'sent again',
      async () => sender.late(await sender.report(), pick([-1, 1]) * random.whole(310_000, 1e12)),
    ],
    'a device that is not pinned': ['sent again', () => sender.report(undefined, { id: hostileId() })],
    'a changed header that is signed': ['sent again', async () => withHeader(await sender.report(), signedHeader())],
    'a changed byte': [
      'sent again',
      async () => {
        const { headers, body } = await sender.report()
        return { headers, body: withChangedByte(body) }
      },
    ],
  }
  // Messages are reused: signing costs more than what is tested.
  const entries = Object.entries(kinds)
  const pools = new Map<string, Hostile[]>()

  return async () => {
    const [what, [expected, make]] = pick(entries)
    const pool = pools.get(what) ?? []
    pools.set(what, pool)
    if (pool.length >= 200 && !random.chance(0.05)) return pick(pool)
    const hostile = toHostile(await make(), { what, expected })
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

  /** Proxies and wrappers change these, and leave the body as it was. */
  function unsignedHeader(): Header {
    return pick<Header>([
      ['content-type', pick(['', 'text/json', 'application/json; charset=utf-16', `${';'.repeat(5_000)}`])],
      ['content-encoding', pick(['gzip', 'br', 'x', 'gzip, identity'])],
      ['content-length', pick(['99999999999', '70000'])],
    ])
  }

  function signedHeader(): Header {
    return pick<Header>([
      ['webhook-timestamp', pick(['', '-1', 'NaN', '1e9', '0x1', '99999999999999999999'])],
      [
        'webhook-signature',
        pick(['', 'v1a,', 'v1,x', ' '.repeat(5_000), `v1a,${'A'.repeat(86)}==`, 'v1a,A '.repeat(2_000)]),
      ],
      ['webhook-id', pick(['', 'a', 'urn:aa:device:acme:roof1/other'])],
    ])
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

function withHeader({ headers, body }: TestMessage, [name, value]: Header): TestMessage {
  return { headers: { ...headers, [name]: value }, body }
}

function toHostile(message: Made, { what, expected }: Pick<Hostile, 'what' | 'expected'>): Hostile {
  const { headers } = message
  const body = typeof message.body === 'string' ? new TextEncoder().encode(message.body) : message.body
  const request = () => new Request('https://relay.example.net/', { method: 'POST', headers, body })
  return { what, headers, body, expected, request }
}
