/** A report of 1,000 positions, each of a target that was never seen before, half of them at one spot. */
export function aDenseReportText(name: string): string {
  const sourceTimeStamp = new Date().toISOString()
  const spread = () => (Math.random() < 0.5 ? 0 : Math.random() * 5)
  return JSON.stringify({
    positions: Array.from({ length: 1_000 }, (_, n) => ({
      id: `${name}:${n}`,
      sourceTimeStamp,
      target: { sourceId: `${name}:${n}` },
      position: { lat: 50 + spread(), lon: 10 + spread(), accuracy: 20 },
      altitudes: [{ height: 100 * (n % 100), datum: 'msl' }],
      groundVelocity: { x: 50, y: 0, z: 0 },
    })),
  })
}

/** The lists of the air picture. */
export const airLists = [
  '/v1/air/aircraft.json',
  '/v1/air/tracks.geojson?limit=10000',
  '/v1/air/tracks?limit=10000',
  '/v1/air/history?limit=10000',
]
