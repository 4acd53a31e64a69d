/** Each function of each entry names an option that it does not have, such as one that was misspelt. */
import { Keyv } from 'keyv'
import { expect, test } from 'vitest'
import { createAir, followAir } from '../src/air.ts'
import { fileTokenStore } from '../src/file.ts'
import { createClient, webTokenStore } from '../src/index.ts'
import { indexedDbTokenStore } from '../src/indexed-db.ts'
import { keyvTokenStore } from '../src/keyv.ts'
import { eachDevice } from '../src/lists.ts'
import { signInWithPopup } from '../src/popup.ts'
import { signOutAtService } from '../src/sign-out.ts'
import { startTestServer } from '../src/testing.ts'
import { watchRecent } from '../src/watch.ts'

const client = createClient({ origin: 'https://posrep.test', getToken: () => 'token' })
const air = createAir(client)
const posrep = {
  signIn: () => Promise.reject(new Error('The options are checked first')),
  startSignIn: () => Promise.reject(new Error('The options are checked first')),
  completeSignIn: async () => {},
  signOut: async () => {},
}
const misspelt = { optoin: 1 } as object

test.each<[name: string, use: () => unknown]>([
  ['webTokenStore', () => webTokenStore(misspelt)],
  ['indexedDbTokenStore', () => indexedDbTokenStore(misspelt)],
  ['fileTokenStore', () => fileTokenStore({ file: 'tokens.json', ...misspelt })],
  ['keyvTokenStore', () => keyvTokenStore({ keyv: new Keyv(), key: 'user', ...misspelt })],
  ['watchRecent', () => watchRecent(client, 'urn', misspelt).next()],
  ['followAir', () => followAir(client, misspelt).next()],
  ['createAir', () => createAir(client, misspelt)],
  ['listAirTracks', () => air.listAirTracks(misspelt)],
  ['getAirTrack', () => air.getAirTrack('id', misspelt)],
  ['listAirHistory', () => air.listAirHistory(misspelt)],
  ['listAirAlerts', () => air.listAirAlerts(misspelt)],
  ['listAirAreas', () => air.listAirAreas(misspelt)],
  ['setAirAreas', () => air.setAirAreas({ type: 'FeatureCollection', features: [] }, misspelt)],
  ['listAirSensors', () => air.listAirSensors(misspelt)],
  ['listAirAircraft', () => air.listAirAircraft(misspelt)],
  ['listAirTracksAsGeoJson', () => air.listAirTracksAsGeoJson(misspelt)],
  ['signInWithPopup', () => signInWithPopup(posrep, misspelt)],
  ['signOutAtService', () => signOutAtService(posrep, misspelt)],
  ['eachDevice', () => eachDevice(client, misspelt).next()],
  ['startTestServer', () => startTestServer(misspelt)],
])('%s()', async (name, use) => {
  await expect(async () => use()).rejects.toThrow(new TypeError(`"optoin" is not an option of ${name}()`))
})
