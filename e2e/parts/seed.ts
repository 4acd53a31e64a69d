/** The seed of the tests: an account with a user, an app, a fleet client and a sensor. */
export const redirectUri = 'https://localhost:9443/callback'
export const pilot = { email: 'pilot@example.com', password: 'correct horse 42' }
export const mapView = { id: 'map-view', secret: 's3cret-map-view' }
export const fleet = { id: 'fleet', secret: 's3cret-fleet' }
export const deviceUrn = 'urn:aa:device:acme:roof1'

const scopes = ['surveillance_api']

export const seed = {
  accounts: [{ id: 'acme', name: 'Acme Sensing' }],
  users: [{ ...pilot, account: 'acme' }],
  clients: [
    {
      ...mapView,
      name: 'Map view',
      account: 'acme',
      grants: ['authorization_code', 'refresh_token'],
      redirectUris: [redirectUri],
      scopes,
    },
    {
      ...fleet,
      name: 'Fleet',
      account: 'acme',
      urnPart: 'acme',
      grants: ['client_credentials', 'refresh_token'],
      scopes,
      partner: false,
    },
  ],
  sensors: [{ localId: 'roof1', client: 'fleet', name: 'Roof' }],
}

/** The seed with this number of sensors: `roof1`, `roof2` and so on. */
export function seedWith(sensors: number) {
  return { ...seed, sensors: someLocalIds(sensors).map((localId) => ({ localId, client: fleet.id, name: localId })) }
}

export function someLocalIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `roof${n + 1}`)
}

export function deviceUrnOf(localId: string): string {
  return `urn:aa:device:acme:${localId}`
}
