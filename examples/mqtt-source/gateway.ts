/** Reports the positions of an MQTT topic until SIGTERM or SIGINT. */
import { clientCredentials, createAgent } from '@posrep/sensor-agent'
import { fileSpool } from '@posrep/sensor-agent/file-spool'
import { runSource } from '@posrep/sensor-agent/sources'
import { mqttSource } from './mqtt-source.ts'

const {
  POSREP_ORIGIN = 'https://localhost:8443',
  SENSOR = 'roof1',
  CLIENT_ID = 'demo-fleet',
  CLIENT_SECRET = 'demo-fleet-secret',
  BROKER = 'mqtt://localhost:1883',
  TOPIC = 'positions',
  SPOOL = '.spool',
} = process.env

const origin = new URL(POSREP_ORIGIN)
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())

const agent = createAgent({
  ingestOrigin: origin,
  sensor: SENSOR,
  tokens: clientCredentials({ authOrigin: origin, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, localId: SENSOR }),
  spool: await fileSpool(SPOOL),
})

const { unusable } = await runSource(mqttSource(BROKER, TOPIC), agent, {
  signal: stop.signal,
  onState: (state) => console.log(state),
  onUnusable: (message) => console.error(message),
})
const { accepted } = await agent.close()
console.log(`${accepted} accepted, ${unusable} unusable`)
