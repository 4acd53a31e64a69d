/**
 * Two aircraft that fly towards each other, as two receivers hear them.
 * In: seconds since the start. Out: the report of each receiver for that second. Your own source of positions takes its
 * place.
 */
const startMs = Date.parse('2026-01-07T12:00:00Z')
const metresPerDegree = 111_195

export interface Heard {
  receiver: string
  receivedAtMs: number
  report: Parameters<import('@posrep/air').Tracker['add']>[0]
}

export function timeAt(second: number): number {
  return startMs + second * 1_000
}

export function hear(second: number): Heard[] {
  const positions = [
    aircraft('461F9C', 'FIN5LA', second, -8_000, 100),
    aircraft('4B1805', 'SWR12', second, 8_000, -100),
  ]
  return ['roof', 'hill'].map((receiver, index) => ({
    receiver,
    receivedAtMs: timeAt(second) + 200 * (index + 1),
    report: { sensor: { id: receiver }, positions: positions.map((one) => ({ ...one, id: `${receiver} ${one.id}` })) },
  }))
}

function aircraft(icao: string, callSign: string, second: number, startMetres: number, metresPerSecond: number) {
  const east = startMetres + metresPerSecond * second
  return {
    id: `${icao} ${second}`,
    sourceTimeStamp: new Date(timeAt(second)).toISOString(),
    target: {
      type: 'aa:target:aircraft' as const,
      ids: [
        { id: icao, type: 'ICAO' },
        { id: callSign, type: 'CallSign' },
      ],
    },
    position: { lat: 60.3, lon: 24.9 + east / (metresPerDegree * Math.cos((60.3 * Math.PI) / 180)), accuracy: 20 },
    altitudes: [{ height: 3_000, datum: 'msl' as const }],
    groundVelocity: { x: metresPerSecond, y: 0, z: 0 },
  }
}
