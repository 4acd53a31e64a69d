import { expect, test } from 'vitest'

test('the entry points export exactly these names', async () => {
  const entries = {
    '.': await import('@posrep/relay-receiver'),
    './contract': await import('@posrep/relay-receiver/contract'),
    './express': await import('@posrep/relay-receiver/express'),
    './keyv': await import('@posrep/relay-receiver/keyv'),
    './node': await import('@posrep/relay-receiver/node'),
    './testing': await import('@posrep/relay-receiver/testing'),
  }

  expect(
    Object.fromEntries(Object.entries(entries).map(([entry, module]) => [entry, Object.keys(module).sort()])),
  ).toEqual({
    '.': ['ReceiverError', 'memoryStore', 'relayReceiver', 'verifySignatures'],
    './contract': ['deduplicationStoreContract', 'unreachableStoreContract'],
    './express': ['relayReceiver'],
    './keyv': ['keyvStore'],
    './node': ['relayReceiver', 'toNodeListener'],
    './testing': ['createTestSender', 'toRequest'],
  })
})
