/**
 * The demo's traffic: three sensors report a recording of real traffic and a staged encounter, each through a sensor
 * agent of its own.
 * In: the server's origin. Out: reports, until it is stopped.
 */

import { clientCredentials, createAgent, type Fetch } from '@posrep/sensor-agent'
import { replay } from '@posrep/sensor-agent/sources'
import type { PositionData } from '@posrep/spec'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { demoFleet } from './demo-seed.ts'
import { type DemoSensor, mast, radar, roof } from './demo-sensors.ts'
import { drone, lightAircraft } from './staged-flights.ts'

/** Published with the package (`files` in package.json). */
const recording = new URL(import.meta.resolve('#recordings/efhk_2026-01-07.sbs.gz'))

export interface TrafficOptions {
  /** The server's origin, for tokens and reports. */
  origin: URL
  /** When the sensors were heard last, in an earlier run of the demo. */
  heardAtMs: number
  clock: Clock
  logger: Logger
  /** Default: as the agent. */
  fetch?: Fetch
}

export interface Traffic {
  stop(): Promise<void>
}

const stagedEveryMs = 1_000
/**
 * Between the end of the recording and its next start, also after a restart, when each target is somewhere else: the
 * air picture ends targets in the air after a minute, so none is there twice. Meanwhile all sensors report the staged
 * flights.
 */
const pauseMs = 65_000
/** After a restart of the demo: the air picture no longer takes a staged flight for two with one identifier. */
const restartMs = 13_000

export function startTraffic({ origin, heardAtMs, clock, logger, fetch }: TrafficOptions): Traffic {
  const stopping = new AbortController()
  const agents = new Map([roof, mast, radar].map((sensor) => [sensor, startAgent(sensor)]))

  function startAgent({ notice: _, ...state }: DemoSensor) {
    const tokens = clientCredentials({
      authOrigin: origin,
      clientId: demoFleet.id,
      clientSecret: demoFleet.secret,
      localId: state.id,
      ...(fetch && { fetch }),
    })
    return createAgent({
      ingestOrigin: origin,
      sensor: state,
      tokens,
      ...(fetch && { fetch }),
      onAlarm: (error) => logger.warn({ err: error, sensor: state.id }, 'alarm of a demo agent'),
      onRefused: (refused) =>
        logger.warn({ refused, sensor: state.id }, 'the ingest refused positions of a demo sensor'),
    })
  }

  async function report(sensor: DemoSensor, position: PositionData | undefined): Promise<void> {
    if (position) await agents.get(sensor)?.report(position)
  }

  async function playRecording(): Promise<void> {
    while (!stopping.signal.aborted) {
      for await (const position of replay(recording, { signal: stopping.signal }))
        for (const sensor of agents.keys()) await report(sensor, sensor.notice(position))
      await clock.sleep(pauseMs, stopping.signal)
    }
  }

  async function stageEncounter(): Promise<void> {
    const startMs = clock.now()
    while (!stopping.signal.aborted) {
      const nowMs = clock.now()
      const seconds = (nowMs - startMs) / 1_000
      await report(radar, drone(seconds, new Date(nowMs)))
      const received = lightAircraft(seconds, new Date(nowMs))
      await report(mast, received)
      await report(roof, { ...received, id: `roof1-${received.id}` })
      await clock.sleep(stagedEveryMs, stopping.signal)
    }
  }

  function sleepUntil(atMs: number): Promise<void> {
    return clock.sleep(Math.max(0, atMs - clock.now()), stopping.signal)
  }

  async function play(): Promise<void> {
    await Promise.all([
      sleepUntil(heardAtMs + pauseMs).then(playRecording),
      sleepUntil(heardAtMs + restartMs).then(stageEncounter),
    ])
  }

  const played = play().catch((error) => logger.error({ err: error }, 'the traffic of the demo ended'))

  return {
    async stop() {
      stopping.abort()
      await played
      await Promise.all([...agents.values()].map((agent) => agent.close({ drainMs: 2_000 })))
    },
  }
}
