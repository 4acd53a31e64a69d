/**
 * The agent that is killed: reports numbered positions into a file spool until it is told to end.
 * In: ingest port, folder, durability, first number. Out: a line `R from to` after each report() that returned, `D n` with the
 * positions that were dropped in all, and `E` when SIGTERM has emptied the spool.
 */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAgent } from '@posrep/sensor-agent'
import { fileSpool } from '@posrep/sensor-agent/file-spool'

const [port = '', folder = '', durability = '', first = '1'] = process.argv.slice(2)
if (durability !== 'file' && durability !== 'memory-first') throw new Error('The third argument is the durability')

const spool = await fileSpool(folder, { durability, syncMs: 200, maxBytes: 1_300_000 })
const agent = createAgent({
  ingestOrigin: new URL(`http://127.0.0.1:${port}`),
  sensor: 'roof1',
  tokens: { get: async () => 'token', refresh: async () => 'token' },
  spool,
  maxDelayMs: 20,
  backlogPerSecond: 1_000_000,
  onAlarm: () => undefined,
})
let ended = false
process.on('SIGTERM', () => {
  ended = true
})
say(`D ${spool.counters().dropped}`)

for (let next = Number(first); !ended; ) {
  const count = 1 + (next % 20)
  await agent.report(Array.from({ length: count }, (_, at) => aPosition(next + at)))
  say(`R ${next} ${next + count - 1}`)
  say(`D ${spool.counters().dropped}`)
  next += count
  if (next % 3 === 0) await sleep(1)
}
await agent.flush()
await agent.close()
say(`D ${spool.counters().dropped}`)
say('E')

/** Written at once, so that a kill loses no line. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}

function aPosition(number: number) {
  return {
    id: String(number),
    sourceTimeStamp: '2026-11-21T12:00:00Z',
    position: { lat: 60.3, lon: 24.9 },
    target: { sourceId: `t${number % 50}` },
    additionalInfo: { text: 'x'.repeat(number % 7 === 0 ? 2_000 : 100) },
  }
}
