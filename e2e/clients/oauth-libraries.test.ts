/** Unmodified OAuth client libraries against the started server over TLS. */
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fleet, mapView, pilot, redirectUri, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { signInAndApprove } from '../parts/sign-in.ts'
import { trust } from '../parts/trust.ts'

let location: ServerLocation
let server: ServerProcess
let issuer: URL

beforeAll(async () => {
  location = await aServerLocation(seed)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
  issuer = new URL(server.ready.authOrigin)
})
afterAll(async () => {
  await server.stop()
  await location.remove()
})

const scope = 'surveillance_api'
const device = { scope, device_id: 'roof1', token_format: 'jwt' }

describe('oauth4webapi', () => {
  const client: oauth.Client = { client_id: mapView.id }

  async function discover(): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  async function signIn(
    as: oauth.AuthorizationServer,
    auth: oauth.ClientAuth,
    withPkce: boolean,
  ): Promise<oauth.TokenEndpointResponse> {
    const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()]
    const url = new URL(as.authorization_endpoint ?? '')
    const challenge = {
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    url.search = String(
      new URLSearchParams({
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope,
        state,
        ...(withPkce && challenge),
      }),
    )
    const callback = new URL(await signInAndApprove({ url: url.href }, pilot, redirectUri))
    const parameters = oauth.validateAuthResponse(as, client, callback, state)
    const proof = withPkce ? verifier : oauth.nopkce
    const response = await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, redirectUri, proof)
    return oauth.processAuthorizationCodeResponse(as, client, response)
  }

  test('the metadata is discovered, with what the service supports', async () => {
    const as = await discover()
    expect(as).toMatchObject({
      issuer: issuer.origin,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
    })
  })

  for (const withPkce of [true, false]) {
    test(`the code flow ${withPkce ? 'with' : 'without'} PKCE returns tokens that can be refreshed and revoked`, async () => {
      const as = await discover()
      const auth = oauth.ClientSecretPost(mapView.secret)
      const first = await signIn(as, auth, withPkce)

      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, auth, first.refresh_token ?? ''),
      )
      expect(refreshed.refresh_token).not.toBe(first.refresh_token)
      expect(await devicesStatus(refreshed.access_token)).toBe(200)

      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, auth, refreshed.refresh_token ?? ''),
      )
      const dead = await oauth.refreshTokenGrantRequest(as, client, auth, refreshed.refresh_token ?? '')
      expect(dead.status).toBe(401)
      expect(await dead.json()).toMatchObject({ error: 'invalid_grant' })
      expect(await devicesStatus(refreshed.access_token)).toBe(401)
    })
  }

  test('client_credentials returns a device token, with the secret in the body or in the header', async () => {
    const as = await discover()
    const sensor: oauth.Client = { client_id: fleet.id }
    for (const auth of [oauth.ClientSecretPost(fleet.secret), oauth.ClientSecretBasic(fleet.secret)]) {
      const response = await oauth.clientCredentialsGrantRequest(as, sensor, auth, device)
      const tokens = await oauth.processClientCredentialsResponse(as, sensor, response)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: expect.closeTo(86_400, -1) })
    }
  })

  test('an access token is verified with the published key set', async () => {
    const as = await discover()
    const { access_token } = await signIn(as, oauth.ClientSecretBasic(mapView.secret), true)
    const request = new Request(server.ready.uiOrigin, { headers: { authorization: `Bearer ${access_token}` } })
    const claims = await oauth.validateJwtAccessToken(as, request, server.ready.uiOrigin)
    expect(claims).toMatchObject({ client_id: mapView.id, scope })
  })
})

describe('openid-client', () => {
  async function discover(id: string, secret: string, auth?: openid.ClientAuth): Promise<openid.Configuration> {
    return openid.discovery(issuer, id, secret, auth, { algorithm: 'oauth2' })
  }

  for (const withPkce of [true, false]) {
    test(`the code flow ${withPkce ? 'with' : 'without'} PKCE returns tokens that can be refreshed and revoked`, async () => {
      const config = await discover(mapView.id, mapView.secret)
      const [state, verifier] = [openid.randomState(), openid.randomPKCECodeVerifier()]
      const challenge = {
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        ...(withPkce && challenge),
      })
      const callback = new URL(await signInAndApprove({ url: url.href }, pilot, redirectUri))

      const tokens = await openid.authorizationCodeGrant(config, callback, {
        expectedState: state,
        ...(withPkce && { pkceCodeVerifier: verifier }),
      })
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
      expect(await devicesStatus(refreshed.access_token)).toBe(200)
      await openid.tokenRevocation(config, refreshed.refresh_token ?? '')
      await expect(openid.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    })
  }

  test('client_credentials returns a device token, with the secret in the body or in the header', async () => {
    for (const auth of [openid.ClientSecretPost(fleet.secret), openid.ClientSecretBasic(fleet.secret)]) {
      const tokens = await openid.clientCredentialsGrant(await discover(fleet.id, fleet.secret, auth), device)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: expect.closeTo(86_400, -1) })
    }
  })

  test('a wrong secret is refused as RFC 6749 specifies', async () => {
    const config = await discover(fleet.id, 'not the secret')
    await expect(openid.clientCredentialsGrant(config, device)).rejects.toMatchObject({
      error: 'invalid_client',
      status: 401,
    })
  })
})

async function devicesStatus(accessToken: string): Promise<number> {
  const response = await fetch(`${server.ready.uiOrigin}/v1/devices`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  return response.status
}
