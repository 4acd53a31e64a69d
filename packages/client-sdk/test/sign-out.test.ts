import { expect, test, vi } from 'vitest'
import { createPosrep } from '../src/index.ts'
import { signOutAtService } from '../src/sign-out.ts'
import { aPage } from './a-page.ts'
import { aFetch, aTokens } from './builders.ts'

const app = {
  origin: 'https://ui.example.net',
  clientId: 'map view',
  redirectUri: 'https://app.example.net/callback?a=1',
}

test('the tokens are deleted and revoked, then the tab goes to the page of the service', async () => {
  const { fetch, requests } = aFetch(() => Response.json({}))
  const posrep = createPosrep({ ...app, fetch })
  await posrep.session.signIn(aTokens(1))
  const page = aPage('https://app.example.net/')

  await signOutAtService(posrep, { page })

  expect(await posrep.isSignedIn()).toBe(false)
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/oauth/v2/revoke'])
  const { origin, pathname, searchParams } = new URL(page.visited[0] ?? '')
  expect([origin, pathname]).toEqual([app.origin, '/oauth/v2/sign-out'])
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: app.clientId,
    post_logout_redirect_uri: app.redirectUri,
  })
})

test('without a page it rejects, and nobody is signed out', async () => {
  const signOut = vi.fn()
  await expect(signOutAtService({ ...createPosrep(app), signOut })).rejects.toMatchObject({ code: 'not_a_browser' })
  expect(signOut).not.toHaveBeenCalled()
})
