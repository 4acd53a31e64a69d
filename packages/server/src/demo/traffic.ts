/** The demo's traffic: the sensor agent sends a recording of real traffic to the ingest. */
import { clientCredentials, createAgent } from '@posrep/sensor-agent'
import { replay } from '@posrep/sensor-agent/sources'
import type { Logger } from '../ports/logger.ts'
import { demoFleet, demoSensor } from './demo-seed.ts'

/** Published with the package (`files` in package.json). */
const recording = new URL(import.meta.resolve('#recordings/efhk_2026-01-07.sbs.gz'))

export interface Traffic {
  stop(): Promise<void>
}

/** @param origin The server's origin, for tokens and reports. */
export function startTraffic({ origin, logger }: { origin: URL; logger: Logger }): Traffic {
  const stopping = new AbortController()
  const tokens = clientCredentials({
    authOrigin: origin,
    clientId: demoFleet.id,
    clientSecret: demoFleet.secret,
    localId: demoSensor,
  })
  const agent = createAgent({
    ingestOrigin: origin,
    sensor: demoSensor,
    tokens,
    onAlarm: (error) => logger.warn({ err: error }, 'alarm of the demo agent'),
    onRefused: (refused) => logger.warn({ refused }, "the ingest refused positions of the demo's sensor"),
  })

  async function play(): Promise<void> {
    for await (const position of replay(recording, { loop: true, signal: stopping.signal }))
      await agent.report(position)
  }
  const played = play().catch((error) => logger.error({ err: error }, 'could not play the demo recording'))

  return {
    async stop() {
      stopping.abort()
      await played
      await agent.close({ drainMs: 2_000 })
    },
  }
}
