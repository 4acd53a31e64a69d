import { expect, test } from 'vitest'

test('the entry points export exactly these names', async () => {
  const entries = {
    '.': await import('../src/index.ts'),
    './express': await import('../src/express.ts'),
    './node': await import('../src/node.ts'),
  }

  expect(Object.fromEntries(Object.entries(entries).map(([entry, module]) => [entry, Object.keys(module)]))).toEqual({
    '.': ['ReceiverError', 'createReceiver', 'verifySignatures'],
    './express': ['relayReceiver'],
    './node': ['toNodeListener'],
  })
})
