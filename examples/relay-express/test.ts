/** A report from a sensor through a real service to the relay, signed and verified; and one that somebody else sent. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startJourney } from './journey.ts'

const journey = await startJourney('relay.ts')
try {
  const position = await journey.reportOnePosition()

  await journey.until(async () => (await readPositions()).length === 1)
  const [latest] = await readPositions()
  assert.equal(latest?.target, 'ICAO:461F9C')
  assert.equal(latest?.device, journey.device)
  assert.deepEqual(latest?.position, position)
  const [line = ''] = (await readFile(join(journey.folder, 'reports.ndjson'), 'utf8')).split('\n')
  assert.deepEqual(JSON.parse(line).report.positions, [position])

  // Anyone may find the address, but only the service can sign.
  assert.equal(await journey.trigger('position_report'), 1)
  assert.equal((await readPositions()).length, 1)
} finally {
  await journey.stop()
}
console.log('ok')

async function readPositions(): Promise<{ target: string; device: string; position: object }[]> {
  return (await fetch(`${journey.origin}/positions`)).json()
}
