/**
 * Sends receptions through the sensor agent: one agent per receiver, which checks, spools and batches the positions, as it does for a
 * service. In: receptions. Out: the same, each with the position that is read from the body that its agent posted.
 */
import { createAgent, type TokenSource } from '@posrep/sensor-agent'
import { type StandardPosition, standardise } from '@posrep/server/air'
import type { PositionData, PositionReport } from '@posrep/spec'
import type { Heard } from './receivers.ts'

const batchSize = 1_000
const tokens: TokenSource = { get: async () => 'token', refresh: async () => 'token' }

export async function sendThroughAgents(heard: readonly Heard[]): Promise<Heard[]> {
  const received = new Map<string, StandardPosition>()
  for (const receiver of new Set(heard.map((one) => one.receiver))) {
    const posted: PositionReport[] = []
    const agent = createAgent({
      ingestOrigin: new URL('https://localhost'),
      sensor: receiver,
      tokens,
      batchSize,
      gzipFromBytes: Number.POSITIVE_INFINITY,
      fetch: async (request) => {
        posted.push((await request.json()) as PositionReport)
        return new Response(null, { status: 202 })
      },
    })
    const positions = heard.flatMap((one, index) => (one.receiver === receiver ? [toPositionData(one, index)] : []))
    for (let at = 0; at < positions.length; at += batchSize) await agent.report(positions.slice(at, at + batchSize))
    await agent.close()
    for (const report of posted) {
      const times = report.positions.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp))
      for (const position of standardise(report.positions, times)) received.set(position.id, position)
    }
  }
  return heard.map((one, index) => {
    const position = received.get(String(index))
    if (!position) throw new Error(`No agent sent reception ${index}`)
    return { ...one, reception: { ...one.reception, position } }
  })
}

function toPositionData({ reception }: Heard, index: number): PositionData {
  const { timeMs, latDegrees, lonDegrees, accuracy, altitudes, groundVelocity, onGround, target } = reception.position
  return {
    id: String(index),
    sourceTimeStamp: new Date(timeMs).toISOString(),
    position: { lat: latDegrees, lon: lonDegrees, accuracy: accuracy.metres },
    target: {
      ...(target.sourceId !== undefined && { sourceId: target.sourceId }),
      ids: target.identifiers.map(({ id, kind, type = kind }) => ({ id, type })),
    },
    altitudes: altitudes.map(({ heightMetres, datum }) => ({ height: heightMetres, datum })),
    ...(groundVelocity && {
      groundVelocity: {
        ...(groundVelocity.eastMetresPerSecond !== undefined && { x: groundVelocity.eastMetresPerSecond }),
        ...(groundVelocity.northMetresPerSecond !== undefined && { y: groundVelocity.northMetresPerSecond }),
      },
    }),
    ...(onGround !== undefined && { onGround }),
  }
}
