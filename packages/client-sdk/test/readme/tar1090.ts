import { rename, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { createPosrep } from '@posrep/client-sdk'
import { createAir } from '@posrep/client-sdk/air'
import { fileTokenStore } from '@posrep/client-sdk/file'

const { POSREP_ORIGIN: origin = 'https://localhost:8443', POSREP_SECRET: clientSecret, FOLDER = '.' } = process.env
const redirectUri = 'https://localhost:9443/callback'
const tokenStore = fileTokenStore({ file: 'tokens.json' })
const posrep = createPosrep({ origin, clientId: 'map-view', clientSecret, redirectUri, tokenStore })

if (!(await posrep.isSignedIn())) {
  const { url, pending } = await posrep.startSignIn()
  const terminal = createInterface(process.stdin, process.stdout)
  const callbackUrl = await terminal.question(`Open ${url}\nand paste the address at which the browser ends: `)
  terminal.close()
  await posrep.completeSignIn(pending, callbackUrl)
}
const { listAirAircraft } = createAir(posrep)
await writeFile(`${FOLDER}/receiver.json`, '{ "version": "posrep", "refresh": 1000, "history": 0 }')
for (;;) {
  await writeFile(`${FOLDER}/aircraft.json.new`, JSON.stringify(await listAirAircraft()))
  await rename(`${FOLDER}/aircraft.json.new`, `${FOLDER}/aircraft.json`)
  await setTimeout(1_000)
}
