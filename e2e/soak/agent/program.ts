/**
 * The agent that is killed: reports numbered positions into a file spool until it is told to end.
 * In: ingest port, folder, durability, `syncMs`, first number. Out: `U ms` with the time in which the last run may have
 * lost positions; a line `R from to ms stored` after each report() that returned, with the time before its call and
 * whether it was written, as the durability `file` and an outage demand; `T ms` every 20 ms, late when the process
 * could not run; `D n` with the positions that were dropped in all; `E` when SIGTERM has emptied the spool.
 */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAgent } from '@posrep/sensor-agent'
import { fileSpool } from '@posrep/sensor-agent/file-spool'

const tickMs = 20
const [port = '', folder = '', durability = '', syncMs = '', first = '1'] = process.argv.slice(2)
if (durability !== 'file' && durability !== 'memory-first') throw new Error('The third argument is the durability')

const spool = await fileSpool(folder, {
  durability,
  syncMs: Number(syncMs),
  // Positions are dropped in one of the modes: in the other each loss is a loss by a kill. On a slow machine its
  // backlog grows long.
  maxBytes: durability === 'file' ? 1_300_000 : 2 ** 35,
})
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
setInterval(() => say(`T ${Date.now()}`), tickMs).unref()
process.on('SIGTERM', () => {
  ended = true
})
say(`U ${spool.recovery.mayHaveLostMs}`)
say(`D ${spool.counters().dropped}`)

for (let next = Number(first); !ended; ) {
  const count = 1 + (next % 20)
  const atMs = Date.now()
  const wasAway = isAway()
  await agent.report(Array.from({ length: count }, (_, at) => aPosition(next + at)))
  const isWritten = durability === 'file' || (wasAway && isAway())
  say(`R ${next} ${next + count - 1} ${atMs} ${Number(isWritten)}`)
  say(`D ${spool.counters().dropped}`)
  next += count
  if (next % 3 === 0) await sleep(1)
}
await agent.flush()
await agent.close()
say(`D ${spool.counters().dropped}`)
say('E')

/** Whether the agent knows that the service does not accept positions. */
function isAway(): boolean {
  return agent.stats().online === false
}

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
