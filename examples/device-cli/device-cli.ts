/**
 * A terminal tool: signs a user in, lists the user's devices, and switches the relay of one on or off.
 * In: a command. Out: lines on standard output; exit 1 with a sentence for a failure, exit 2 for a wrong command.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createPosrep, PosrepError, SessionError } from '@posrep/client-sdk'
import { fileTokenStore } from '@posrep/client-sdk/file'
import { signIn } from './sign-in.ts'

const usage = `usage: device-cli login
       device-cli devices
       device-cli relay URN on|off
       device-cli logout`

const redirectUri = 'http://127.0.0.1:8765/callback'
const posrep = createPosrep({
  origin: process.env.POSREP_ORIGIN ?? 'https://localhost:8443',
  clientId: 'demo-cli',
  redirectUri,
  // The next command, and one that runs at the same time, use the same session.
  tokenStore: fileTokenStore({ file: process.env.DEVICE_CLI_TOKENS ?? join(homedir(), '.device-cli.json') }),
})

const [command, urn = '', state] = process.argv.slice(2)
try {
  if (command === 'login') await signIn(posrep, redirectUri)
  else if (command === 'devices') await listDevices()
  else if (command === 'relay' && (state === 'on' || state === 'off')) await switchRelay(urn, state === 'on')
  else if (command === 'logout') await posrep.signOut()
  else {
    console.error(usage)
    process.exitCode = 2
  }
} catch (error) {
  if (!(error instanceof PosrepError)) throw error
  const isSignedOut = error instanceof SessionError && error.code === 'login_required'
  console.error(isSignedOut ? 'You are not signed in: device-cli login' : error.message)
  process.exitCode = 1
}

async function listDevices(): Promise<void> {
  for (const { deviceId, deviceName, relayDetails } of (await posrep.listDevices()).data)
    console.log(`${deviceId}  ${relayDetails?.state ?? 'no relay'}  ${deviceName}`)
}

async function switchRelay(urn: string, isOn: boolean): Promise<void> {
  const { relayDetails } = await posrep.getDevice(urn)
  if (!relayDetails?.url) {
    console.error(`${urn} has no relay address; set one in the portal`)
    process.exitCode = 1
    return
  }
  const changed = await posrep.updateRelay(urn, { url: relayDetails.url, state: isOn ? 'Active' : 'Inactive' })
  console.log(`${urn}  ${changed.relayDetails?.state}  ${changed.relayDetails?.failureDescription ?? ''}`.trim())
}
