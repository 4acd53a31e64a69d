import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import type { Post } from '../../src/relays/exchange.ts'
import type { RelayConnection } from '../../src/relays/relay-connection.ts'
import { createSendRelayMessage, type MessageBehind, type RelayMessage } from '../../src/relays/send-relay-message.ts'

const url = new URL('https://one.example/')
const aMessage = (name: string): RelayMessage => ({ id: `msg_${name}`, message: `{"ü":"${name}"}` })

const taken = { status: 200, body: Buffer.alloc(0), retryAfter: undefined }

/** What is signed ahead is there at once, unless it `isLate`: then it has to be waited for. */
function aSender(sign = (text: Buffer) => `signed ${text}`, { isLate = false } = {}) {
  const clock = createManualClock(1_000_000)
  const signed: string[] = []
  const posted: { body: string; headers: Record<string, string>; signedBefore: number }[] = []
  const record = (text: Buffer) => {
    signed.push(String(text))
    return sign(text)
  }
  const recordOrNothing = (text: Buffer) => {
    try {
      return record(text)
    } catch {
      return undefined
    }
  }
  const connection: Pick<RelayConnection, 'post'> = {
    async post(_url, first, { onSent, next } = {}) {
      for (let post: Post | undefined = first; post; post = next?.(taken)) {
        posted.push({ body: String(post.body), headers: post.headers, signedBefore: signed.length })
        onSent?.()
      }
      return taken
    },
  }
  const send = createSendRelayMessage({
    connection: { ...connection, close: async () => {} },
    clock,
    signer: {
      sign: record,
      signAhead(text) {
        const signature = recordOrNothing(text)
        return { signature: isLate ? undefined : signature, made: async () => signature }
      },
    },
  })
  return { clock, signed, posted, send }
}

/** Nothing goes on to them by itself. */
const inFront = (messages: MessageBehind[]) => ({ behind: () => messages, goOn: () => false })

test('a message is signed with its id and the second in which it goes out', async () => {
  const { send, posted } = aSender()
  await send(url, aMessage('a'))

  expect(posted).toMatchObject([
    {
      body: '{"ü":"a"}',
      headers: {
        'webhook-id': 'msg_a',
        'webhook-timestamp': '1000',
        'webhook-signature': 'v1a,signed msg_a.1000.{"ü":"a"}',
      },
    },
  ])
})

test('the next message is signed while this one is on its way, and not again when its turn comes', async () => {
  const { send, posted, signed, clock } = aSender()
  const next = aMessage('b')
  await send(url, aMessage('a'), undefined, inFront([{ delivery: next }]))
  await clock.advance(1_000)
  await send(url, next)

  expect(posted.map(({ signedBefore }) => signedBefore)).toEqual([1, 2])
  expect(signed).toEqual(['msg_a.1000.{"ü":"a"}', 'msg_b.1000.{"ü":"b"}'])
  expect(posted[1]?.headers).toMatchObject({
    'webhook-timestamp': '1000',
    'webhook-signature': `v1a,signed ${signed[1]}`,
  })
})

test('what comes behind a message is signed while it is on its way, in order and once', async () => {
  const { send, signed } = aSender()
  const [a, b, c, d] = [aMessage('a'), aMessage('b'), aMessage('c'), aMessage('d')]
  await send(url, a, undefined, inFront([{ delivery: b }, { delivery: c }]))
  await send(url, b, undefined, inFront([{ delivery: c }, { delivery: d }]))

  expect(signed.map((text) => text.slice(0, 5))).toEqual(['msg_a', 'msg_b', 'msg_c', 'msg_d'])
})

test('of large messages the next one alone is signed ahead', async () => {
  const { send, signed } = aSender()
  const large = (name: string) => ({ delivery: { ...aMessage(name), message: 'x'.repeat(64 * 1024) } })
  await send(url, aMessage('a'), undefined, inFront([large('b'), large('c')]))

  expect(signed.map((text) => text.slice(0, 5))).toEqual(['msg_a', 'msg_b'])
})

test('what was signed ahead for a slow relay is signed once more, when it is the next one', async () => {
  const { send, signed, clock } = aSender()
  const [a, b, c] = [aMessage('a'), aMessage('b'), aMessage('c')]
  await send(url, a, undefined, inFront([{ delivery: b }, { delivery: c }]))
  await clock.advance(2_000)
  await send(url, b, undefined, inFront([{ delivery: c }]))
  await send(url, c)

  expect(signed.map((text) => text.slice(0, 5))).toEqual(['msg_a', 'msg_b', 'msg_c', 'msg_b', 'msg_c'])
})

test('a message that was signed ahead and had to wait is signed anew', async () => {
  const { send, posted, clock } = aSender()
  const next = aMessage('b')
  await send(url, aMessage('a'), undefined, inFront([{ delivery: next }]))
  await clock.advance(2_000)
  await send(url, next)

  expect(posted[1]?.headers).toMatchObject({
    'webhook-timestamp': '1002',
    'webhook-signature': 'v1a,signed msg_b.1002.{"ü":"b"}',
  })
})

test('a message that cannot be signed ahead fails when its own turn comes, not the one before', async () => {
  const { send } = aSender((text) => {
    if (String(text).startsWith('msg_b')) throw new Error('No key')
    return 'x'
  })
  const next = aMessage('b')

  expect((await send(url, aMessage('a'), undefined, inFront([{ delivery: next }]))).status).toBe(200)
  await expect(send(url, next)).rejects.toThrow('No key')
})

/** Goes on from one to the next, as long as it is asked. */
function aLine(names: string[]) {
  const messages = names.map((name) => ({ delivery: aMessage(name) }))
  return { behind: () => messages, goOn: () => messages.shift() !== undefined }
}

test('messages that are signed follow each other over one connection', async () => {
  const { send, posted } = aSender()
  await send(url, aMessage('a'), undefined, aLine(['b', 'c']))

  expect(posted.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_a', 'msg_b', 'msg_c'])
  expect(posted[2]).toMatchObject({
    body: '{"ü":"c"}',
    headers: { 'webhook-timestamp': '1000', 'webhook-signature': 'v1a,signed msg_c.1000.{"ü":"c"}' },
  })
})

test('one that is not signed yet does not follow, and nobody is told to go on', async () => {
  const { send, posted } = aSender(undefined, { isLate: true })
  const line = aLine(['b'])
  await send(url, aMessage('a'), undefined, line)

  expect(posted.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_a'])
  expect(line.behind()).toHaveLength(1)
})

test('where the line does not go on, nothing follows', async () => {
  const { send, posted } = aSender()
  await send(url, aMessage('a'), undefined, inFront([{ delivery: aMessage('b') }]))

  expect(posted.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_a'])
})
