/**
 * The demo's seed: its account, user, clients and sensors. The passwords are public, so the demo runs on loopback only.
 */
import type { Seed } from '../seed/seed-file.ts'

export const demoUser = { email: 'pilot@example.com', password: 'correct horse 42' }
export const demoApp = { id: 'demo-app', secret: 'demo-app-secret' }
export const demoFleet = { id: 'demo-fleet', secret: 'demo-fleet-secret' }
/** The sensor with a relay. It sends the recorded traffic. */
export const demoSensor = 'roof1'
/** A registered sensor that sends nothing, for trying things out. So does `radar2`. */
export const spareSensor = 'roof2'

/** The apps of examples/ of the repository, which run on the developer's machine. The public ones have no secret. */
export const exampleApps: readonly { id: string; name: string; redirectUri: string; secret?: string }[] = [
  { id: 'demo-cli', name: 'Device list for terminals', redirectUri: 'http://127.0.0.1:8765/callback' },
  { id: 'demo-browser-app', name: 'Map in the browser', redirectUri: 'http://localhost:5173/' },
  {
    id: 'demo-web-app',
    name: 'Devices on the web',
    redirectUri: 'http://localhost:3000/callback',
    secret: 'demo-web-app-secret',
  },
]

/** No server listens at this address: the demo takes the code from the redirect. */
export const demoCallback = 'https://localhost/demo/callback'

const account = 'demo'
const scopes = ['surveillance_api']

export const demoSeed: Seed = {
  accounts: [{ id: account, name: 'Demo Sensing' }],
  users: [{ ...demoUser, account }],
  clients: [
    {
      ...demoApp,
      name: 'Demo app',
      account,
      grants: ['authorization_code', 'refresh_token'],
      redirectUris: [demoCallback],
      scopes,
      partner: false,
    },
    ...exampleApps.map(({ redirectUri, ...app }) => ({
      ...app,
      account,
      grants: ['authorization_code' as const, 'refresh_token' as const],
      redirectUris: [redirectUri],
      scopes,
      partner: false,
    })),
    {
      ...demoFleet,
      name: 'Demo fleet',
      account,
      grants: ['client_credentials', 'refresh_token'],
      redirectUris: [],
      scopes,
      urnPart: 'demo',
      partner: false,
    },
  ],
  sensors: [
    { localId: demoSensor, client: demoFleet.id, name: 'Roof, Helsinki-Vantaa recording' },
    { localId: 'mast2', client: demoFleet.id, name: 'Mast, receives a part of it' },
    { localId: 'radar1', client: demoFleet.id, name: 'Radar beside the airport, and a drone' },
    { localId: spareSensor, client: demoFleet.id, name: 'Roof, spare' },
    { localId: 'radar2', client: demoFleet.id, name: 'Radar, spare' },
  ],
}
