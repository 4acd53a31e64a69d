/** Run-times whose `Request` does not know cookies refuse a request that mentions them. */
import { afterEach, expect, test, vi } from 'vitest'
import { aFetch, aTokenResponse } from './builders.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('where requests have no "credentials", none are given: sign-in and calls work', async () => {
  const NodeRequest = Request
  function WorkersRequest(input: RequestInfo | URL, init: RequestInit = {}): Request {
    const unknown = ['credentials', 'mode', 'cache'].find((member) => member in init)
    if (unknown) throw new TypeError(`The '${unknown}' field on 'RequestInitializerDict' is not implemented.`)
    return new NodeRequest(input, init)
  }
  Object.defineProperty(WorkersRequest, Symbol.hasInstance, { value: (value: unknown) => value instanceof NodeRequest })
  vi.stubGlobal('Request', WorkersRequest)
  vi.resetModules()
  const { createPosrep } = await import('../src/index.ts')
  const { fetch, requests } = aFetch(aTokenResponse, () => Response.json({ data: [] }))
  const redirectUri = 'https://app.example.net/callback'
  const posrep = createPosrep({ origin: 'https://api.example.net', clientId: 'map-view', redirectUri, fetch })

  const { pending } = await posrep.startSignIn()
  await posrep.completeSignIn(pending, `${redirectUri}?code=c0de&state=${pending.state}&iss=https://api.example.net`)

  expect(await posrep.listDevices()).toEqual({ data: [] })
  expect(requests.map(({ redirect }) => redirect)).toEqual(['manual', 'manual'])
})
