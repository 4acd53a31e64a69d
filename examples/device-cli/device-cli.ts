/**
 * A terminal tool: lists a user's devices, and switches the relay of one on or off.
 * In: `devices`, or `relay URN on|off`. Out: lines on standard output; exit 2 for a wrong command.
 */
import { createClient, createLogin, createSession } from '@posrep/client-sdk'
import { signInFromTerminal } from './sign-in.ts'

const origin = process.env.POSREP_ORIGIN ?? 'https://localhost:8443'
const redirectUri = 'http://127.0.0.1:8765/callback'
const usage = 'usage: device-cli devices\n       device-cli relay URN on|off'

const [command, urn = '', state] = process.argv.slice(2)
if (command === 'devices') await listDevices()
else if (command === 'relay' && (state === 'on' || state === 'off')) await switchRelay(urn, state === 'on')
else {
  console.error(usage)
  process.exit(2)
}

async function signIn() {
  const login = createLogin({ authOrigin: origin, clientId: 'demo-cli', redirectUri })
  const session = createSession({ login, tokens: await signInFromTerminal(login, redirectUri) })
  return createClient({ uiOrigin: origin, session })
}

async function listDevices(): Promise<void> {
  const client = await signIn()
  for (const { deviceId, deviceName, relayDetails } of (await client.listDevices()).data)
    console.log(`${deviceId}  ${relayDetails?.state ?? 'no relay'}  ${deviceName}`)
}

async function switchRelay(urn: string, isOn: boolean): Promise<void> {
  const client = await signIn()
  const { relayDetails } = await client.getDevice(urn)
  if (!relayDetails?.url) throw new Error(`${urn} has no relay address; set one in the portal`)
  const device = await client.setRelay(urn, { url: relayDetails.url, state: isOn ? 'Active' : 'Inactive' })
  console.log(`${urn}  ${device.relayDetails?.state}  ${device.relayDetails?.failureDescription ?? ''}`.trim())
}
