/** Sensors that send numbered reports to several processes, and what a relay misses of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { aReportText, type Sensor } from '../parts/a-sensor.ts'
import type { Recorder } from './recorder.ts'

export interface Accepted {
  localId: string
  /** All numbers from 1 to this one were accepted. */
  last: number
}

/** Sends each report to either process until one accepts it, so that the order of acceptance is known. */
export async function submitOneByOne(sensor: Sensor, origins: string[], stopping: AbortSignal): Promise<Accepted> {
  let last = 0
  let body = aReportText(`${sensor.localId}:1`)
  for (let turn = 0; !stopping.aborted; turn++) {
    const origin = origins[turn % origins.length] ?? ''
    const answer = await sensor.submit(body, { origin, deadlineMs: 1_000 }).catch(() => undefined)
    if (answer?.status === 202) body = aReportText(`${sensor.localId}:${++last + 1}`)
    await sleep(answer?.status === 202 ? 20 : 100)
  }
  return { localId: sensor.localId, last }
}

/** Reports that were accepted and that the relay has not received. */
export function missing(accepted: Accepted[], recorder: Recorder): string[] {
  return accepted.flatMap(({ localId, last }) =>
    Array.from({ length: last }, (_, n) => n + 1)
      .filter((number) => !recorder.received(localId).has(number))
      .map((number) => `${localId}:${number}`),
  )
}
