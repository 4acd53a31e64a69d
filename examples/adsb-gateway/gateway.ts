/**
 * Reports what an ADS-B receiver sees.
 * In: aircraft.json of readsb or dump1090, as a file or an address. Out: reports; positions wait in `.spool` while the
 * service is away. SIGTERM and SIGINT send what is in the spool, then end the program.
 */
import { clientCredentials, createAgent } from '@posrep/sensor-agent'
import { fileSpool } from '@posrep/sensor-agent/file-spool'
import { aircraftJsonSource, runSource } from '@posrep/sensor-agent/sources'

const {
  POSREP_ORIGIN = 'https://localhost:8443',
  SENSOR = 'roof1',
  CLIENT_ID = 'demo-fleet',
  CLIENT_SECRET = 'demo-fleet-secret',
  AIRCRAFT_JSON = '/run/readsb/aircraft.json',
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
  onAlarm: (error) => console.error(`action required: ${error.message}`),
})

await runSource(aircraftJsonSource({ from: AIRCRAFT_JSON }), agent, {
  signal: stop.signal,
  onState: (state) => console.error(state),
})
const { accepted, spooled } = await agent.close()
console.log(`${accepted} accepted, ${spooled} wait in the spool`)
