import { expect, test } from 'vitest'

test.each([
  [
    'index',
    [
      'ApiError',
      'LoginError',
      'PosrepError',
      'SessionError',
      'createClient',
      'createLogin',
      'createPosrep',
      'createSession',
      'fromRelayStateNumber',
      'memoryTokenStore',
      'toRelayStateNumber',
      'webTokenStore',
    ],
  ],
  ['device-urn', ['parseDeviceUrn', 'toDeviceUrn']],
  ['popup', ['signInWithPopup']],
  ['watch', ['watchRecent']],
  ['air', ['createAir', 'followAir']],
  ['indexed-db', ['indexedDbTokenStore']],
  ['file', ['fileTokenStore']],
  ['keyv', ['keyvTokenStore']],
  ['contract', ['tokenStoreContract']],
])('the entry "%s" exports exactly these names', async (entry, names) => {
  expect(Object.keys(await import(`../src/${entry}.ts`)).toSorted()).toEqual(names)
})

test('the entry "testing" exports the handlers, the fakes and the test server', async () => {
  const [testing, fakes, msw] = await Promise.all([
    import('../src/testing.ts'),
    import('@posrep/spec/fakes'),
    import('@posrep/spec/msw'),
  ])

  expect(Object.keys(testing).toSorted()).toEqual(
    [...Object.keys(fakes), ...Object.keys(msw), 'startTestServer'].toSorted(),
  )
})
