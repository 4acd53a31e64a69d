/**
 * oidc-provider with its fastest setup: its default adapter in memory and opaque access tokens, without signatures or
 * disk writes. Refresh tokens rotate, as in this server. The adapter's limit of 1,000 entries is raised, because on a
 * busy machine the grant of a waiting connection could be evicted. Its models create the first refresh tokens, instead
 * of a user's sign-in.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'
import LRU from 'oidc-provider/lib/helpers/lru.js'

const client = { client_id: 'fleet', client_secret: 's3cret-fleet' }
const scope = 'offline_access surveillance_api'

const listener = http.createServer().listen(0, '127.0.0.1', () => {
  // A TCP server's address is an AddressInfo.
  const { port } = listener.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const provider = createProvider(origin)
  const answer = provider.callback()
  listener.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    if (pathname !== '/first-refresh-tokens') return void answer(request, response)
    const count = Number(searchParams.get('count'))
    void Promise.all(Array.from({ length: count }, () => firstRefreshToken(provider))).then((tokens) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens)),
    )
  })
  process.stdout.write(`${JSON.stringify({ event: 'ready', origin, form: client })}\n`)
})
process.once('SIGTERM', () => process.exit(0))

function createProvider(origin: string): Provider {
  const entries = new LRU({ maxSize: 20_000 })
  return new Provider(origin, {
    adapter: (model) => new MemoryAdapter(model, entries),
    clients: [
      {
        ...client,
        grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
        redirect_uris: ['https://localhost/callback'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        scope,
      },
    ],
    scopes: scope.split(' '),
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    rotateRefreshToken: true,
    ttl: { AccessToken: 900, ClientCredentials: 900, Grant: 86_400, RefreshToken: 86_400 },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  })
}

async function firstRefreshToken(provider: Provider): Promise<string> {
  const accountId = 'pilot'
  const grant = new provider.Grant({ accountId, clientId: client.client_id })
  grant.addOIDCScope(scope)
  const found = await provider.Client.find(client.client_id)
  if (!found) throw new Error('The client was not found')
  const token = new provider.RefreshToken({
    accountId,
    client: found,
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope,
    expiresWithSession: false,
  })
  return token.save()
}
