import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { RelayConnection } from '../../../src/relays/sender/relay-connection.ts'
import { createSendRelayMessage, type RelayMessage } from '../../../src/relays/sender/send-relay-message.ts'

const url = new URL('https://one.example/')
const aMessage = (name: string): RelayMessage => ({ id: `msg_${name}`, message: `{"ü":"${name}"}` })

function aSender(sign = (text: Buffer) => `signed ${text}`) {
  const clock = createManualClock(1_000_000)
  const posted: { body: string; headers: Record<string, string> }[] = []
  const connection: RelayConnection = {
    async post(_url, { headers, body }) {
      posted.push({ body: String(body), headers })
      return { status: 200, body: Buffer.alloc(0), retryAfter: undefined }
    },
    close: async () => {},
  }
  const send = createSendRelayMessage({ connection, clock, sign: async (text) => Buffer.from(sign(text)) })
  return { clock, posted, send }
}

function signatureOf(text: string): string {
  return `v1a,${Buffer.from(`signed ${text}`).toString('base64')}`
}

test('a message is signed with its id and the second in which it is sent', async () => {
  const { send, posted, clock } = aSender()
  await send(url, aMessage('a'))
  await clock.advance(2_000)
  await send(url, aMessage('b'))

  expect(posted).toMatchObject([
    {
      body: '{"ü":"a"}',
      headers: {
        'webhook-id': 'msg_a',
        'webhook-timestamp': '1000',
        'webhook-signature': signatureOf('msg_a.1000.{"ü":"a"}'),
      },
    },
    {
      body: '{"ü":"b"}',
      headers: {
        'webhook-id': 'msg_b',
        'webhook-timestamp': '1002',
        'webhook-signature': signatureOf('msg_b.1002.{"ü":"b"}'),
      },
    },
  ])
})

test('a message that cannot be signed is not sent', async () => {
  const { send, posted } = aSender(() => {
    throw new Error('No key')
  })

  await expect(send(url, aMessage('a'))).rejects.toThrow('No key')
  expect(posted).toEqual([])
})
