/**
 * oidc-provider at its best: as shipped, with its adapter in memory and opaque access tokens, nothing signed, nothing on
 * disk; refresh tokens rotate, as ours do. Its memory has more room than the 1,000 entries that it takes by itself, or a
 * connection that has to wait on a busy machine would find its grant gone. The first refresh tokens are made by its own
 * models, in place of a user who signs in.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'
import LRU from 'oidc-provider/lib/helpers/lru.js'

const client = { client_id: 'fleet', client_secret: 's3cret-fleet' }
const scope = 'offline_access surveillance_api'

const listener = http.createServer().listen(0, '127.0.0.1', () => {
  // Listening on TCP, as here, gives an AddressInfo.
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
  if (!found) throw new Error('The client is not there')
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
