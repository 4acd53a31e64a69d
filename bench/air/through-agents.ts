/**
 * Sends receptions through the sensor agent: one agent per receiver, which checks, spools and batches the positions, as
 * it does for a service. In: receptions. Out: sightings, each with the position as its agent posted it.
 */
import { createAgent, type TokenSource } from '@posrep/sensor-agent'
import type { PositionData, PositionReport } from '@posrep/spec'
import type { Heard } from './receivers.ts'
import type { Sighting } from './sighting.ts'

const batchSize = 1_000
const tokens: TokenSource = { get: async () => 'token', refresh: async () => 'token' }

export async function sendThroughAgents(heard: readonly Heard[]): Promise<Sighting[]> {
  const received = new Map<string, PositionData>()
  for (const receiver of new Set(heard.map((one) => one.receiver))) {
    const agent = createAgent({
      ingestOrigin: new URL('https://localhost'),
      sensor: receiver,
      tokens,
      batchSize,
      gzipFromBytes: Number.POSITIVE_INFINITY,
      fetch: async (request) => {
        const { positions } = (await request.json()) as PositionReport
        for (const position of positions) received.set(position.id, position)
        return new Response(null, { status: 202 })
      },
    })
    const positions = heard.flatMap((one, index) => (one.receiver === receiver ? [toPositionData(one, index)] : []))
    for (let at = 0; at < positions.length; at += batchSize) await agent.report(positions.slice(at, at + batchSize))
    await agent.close()
  }
  return heard.map(({ reception, receiver, identity, isHidden, trueMs }, index) => {
    const data = received.get(String(index))
    if (!data) throw new Error(`No agent sent reception ${index}`)
    return { receiver, receivedAtMs: reception.receivedAtMs, data, identity, isHidden, trueMs }
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
