/** More unmodified OAuth libraries, those of docs/oauth-clients.md, against the started server over TLS. */
import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client'
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import OAuth2Strategy from 'passport-oauth2'
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fleet, mapView, pilot, redirectUri, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { signInAndApprove } from '../parts/sign-in.ts'
import { trust } from '../parts/trust.ts'

let location: ServerLocation
let server: ServerProcess
let issuer: string

beforeAll(async () => {
  location = await aServerLocation(seed)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
  issuer = server.ready.authOrigin
})
afterAll(async () => {
  await server.stop()
  await location.remove()
})

const scope = 'surveillance_api'
const device = { device_id: 'roof1', token_format: 'jwt' }

const approve = (url: string) => signInAndApprove({ url }, pilot, redirectUri)

/** The e-mail address of the token's user; the status if the token is refused. */
async function whoIs(accessToken: unknown): Promise<unknown> {
  const response = await fetch(`${server.ready.uiOrigin}/v1/me`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  return response.ok ? ((await response.json()) as { userName: string }).userName : response.status
}

test('oidc-client-ts signs in and refreshes with the metadata of the service, without the scope openid', async () => {
  const client = new OidcClient({
    authority: issuer,
    metadataUrl: `${issuer}/.well-known/oauth-authorization-server`,
    client_id: mapView.id,
    client_secret: mapView.secret,
    redirect_uri: redirectUri,
    scope,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  })

  const { url } = await client.createSigninRequest({})
  const tokens = await client.processSigninResponse(await approve(url))
  const { refresh_token = '' } = tokens
  const state = { refresh_token, session_state: null, scope, profile: tokens.profile, data: undefined }
  const refreshed = await client.useRefreshToken({ state })

  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
  expect(await whoIs(refreshed.access_token)).toBe(pilot.email)
  await client.revokeToken(refreshed.refresh_token ?? '', 'refresh_token')
  expect(await whoIs(refreshed.access_token)).toBe(401)
})

describe('simple-oauth2', () => {
  const toAuth = () => ({ tokenHost: issuer, tokenPath: '/oauth/v2/token', revokePath: '/oauth/v2/revoke' })

  test('signs in, refreshes and revokes with the endpoints', async () => {
    const client = new AuthorizationCode({
      client: mapView,
      auth: { ...toAuth(), authorizePath: '/oauth/v2/authorize' },
    })
    const url = client.authorizeURL({ redirect_uri: redirectUri, scope, state: 'state-1' })
    const callback = new URL(await approve(url))

    const code = callback.searchParams.get('code') ?? ''
    const tokens = await (await client.getToken({ code, redirect_uri: redirectUri })).refresh()

    expect(callback.searchParams.get('state')).toBe('state-1')
    expect(await whoIs(tokens.token.access_token)).toBe(pilot.email)
    await tokens.revoke('refresh_token')
    expect(await whoIs(tokens.token.access_token)).toBe(401)
  })

  test.each(['header', 'body'] as const)(
    'gets a device token with the secret in the %s',
    async (authorizationMethod) => {
      const client = new ClientCredentials({ client: fleet, auth: toAuth(), options: { authorizationMethod } })

      const { token } = await client.getToken({ scope, ...device })

      expect(token).toMatchObject({ token_type: 'bearer', expires_in: expect.closeTo(86_400, -1) })
    },
  )
})

test('passport-oauth2 signs in with PKCE and a state in the session', async () => {
  const session = {}
  const strategy = new OAuth2Strategy(
    {
      authorizationURL: `${issuer}/oauth/v2/authorize`,
      tokenURL: `${issuer}/oauth/v2/token`,
      clientID: mapView.id,
      clientSecret: mapView.secret,
      callbackURL: redirectUri,
      scope,
      state: true,
      pkce: true,
    },
    (accessToken: string, refreshToken: string, _profile: object, done: OAuth2Strategy.VerifyCallback) =>
      done(null, { accessToken, refreshToken }),
  )

  /** Runs the strategy as passport does. */
  function authenticate(request: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const outcome = { redirect: resolve, success: resolve, error: reject, fail: reject }
      Object.assign(Object.create(strategy), outcome).authenticate({ session, ...request }, {})
    })
  }

  const url = String(await authenticate({ query: {} }))
  const callback = new URL(await approve(url))
  const user = await authenticate({ query: Object.fromEntries(callback.searchParams) })

  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
  expect(user).toMatchObject({ refreshToken: expect.any(String) })
  expect(await whoIs((user as { accessToken: string }).accessToken)).toBe(pilot.email)
})

describe('@badgateway/oauth2-client', () => {
  test('signs in and refreshes with the metadata that it discovers', async () => {
    const client = new OAuth2Client({ server: issuer, clientId: mapView.id, clientSecret: mapView.secret })
    const proof = { redirectUri, state: 'state-1', codeVerifier: await generateCodeVerifier() }

    const url = await client.authorizationCode.getAuthorizeUri({ ...proof, scope: [scope] })
    const tokens = await client.authorizationCode.getTokenFromCodeRedirect(await approve(url), proof)
    const refreshed = await client.refreshToken(tokens)

    expect(await whoIs(refreshed.accessToken)).toBe(pilot.email)
    await client.revoke(refreshed, 'refresh_token')
    expect(await whoIs(refreshed.accessToken)).toBe(401)
  })

  test('gets a device token', async () => {
    const client = new OAuth2Client({ server: issuer, clientId: fleet.id, clientSecret: fleet.secret })

    const { accessToken } = await client.clientCredentials({ scope: [scope], extraParams: device })

    expect(accessToken.split('.')).toHaveLength(3)
  })
})
