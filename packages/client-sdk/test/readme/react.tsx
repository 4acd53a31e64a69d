import { createPosrep, webTokenStore } from '@posrep/client-sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import createReactClient from 'openapi-react-query'

const posrep = createPosrep({
  origin: 'https://localhost:8443',
  clientId: 'map-view',
  redirectUri: `${location.origin}/callback`,
  tokenStore: webTokenStore(),
})
const api = createReactClient(posrep.raw)
const queries = new QueryClient()

function Devices() {
  const devices = api.useQuery('get', '/v1/devices')
  const rename = api.useMutation('patch', '/v1/devices/{deviceUrn}', {
    onSuccess: () => queries.invalidateQueries({ queryKey: ['get', '/v1/devices'] }),
  })
  if (devices.isPending) return <p>Loading</p>
  if (devices.error) return <p>{devices.error.detail ?? devices.error.title}</p>
  return (
    <ul>
      {devices.data.data.map(({ deviceId, deviceName }) => (
        <li key={deviceId}>
          {deviceName}
          <button
            type="button"
            onClick={() => rename.mutate({ params: { path: { deviceUrn: deviceId } }, body: { deviceName: 'Mast' } })}
          >
            Rename
          </button>
        </li>
      ))}
    </ul>
  )
}

function App() {
  return (
    <QueryClientProvider client={queries}>
      <Devices />
    </QueryClientProvider>
  )
}

/** Signs the user in, then render what it resolves with: the app, or why nobody is signed in. */
export async function start() {
  try {
    if (!(await posrep.handleCallback())) await posrep.signIn({ returnTo: location.href })
    return <App />
  } catch (error) {
    return <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
  }
}
