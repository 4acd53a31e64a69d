/**
 * A sensor without a screen: it waits until a user presses Pair in the portal, keeps its identity, and reports
 * simulated aircraft.
 * In: only its local ID. Out: reports. After a restart it goes on without a new pairing.
 */
import { createAgent, fileTokenStore, pairing } from '@posrep/sensor-agent'
import { fileSpool } from '@posrep/sensor-agent/file-spool'
import { runSource, simulatorSource } from '@posrep/sensor-agent/sources'

const { POSREP_ORIGIN = 'https://localhost:8443', SENSOR = 'roof2', STATE = '.sensor' } = process.env

const ingestOrigin = new URL(POSREP_ORIGIN)
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())

const spool = await fileSpool(`${STATE}/spool`, { durability: 'memory-first' })
const tokens = pairing({ ingestOrigin, localId: SENSOR, store: fileTokenStore(`${STATE}/identity.json`) })
console.log(`waiting for Pair at ${new URL(`/pairing/start?clientUniqueId=${SENSOR}`, ingestOrigin)}`)
const { sensorId } = await tokens.pair(stop.signal)
console.log(`paired as ${sensorId}`)

const agent = createAgent({
  ingestOrigin,
  sensor: SENSOR,
  tokens,
  spool,
  onAlarm: (error) => console.error(`action required: ${error.message}`),
  onOutcome: ({ kind, positions }) => console.log(`${positions} ${kind}`),
})
await runSource(simulatorSource({ targets: 4, pattern: 'encounters' }), agent, { signal: stop.signal })
await agent.close()
