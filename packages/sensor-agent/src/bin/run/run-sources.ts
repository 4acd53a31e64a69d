/**
 * Runs the sources beside each other until all have ended, one fails, or they are stopped.
 * In: sources, the agent, the signal that stops them. Out: nothing; rejects with the error of the source that failed,
 * after the others were stopped. A source that does not stop is named and left running.
 */
import type { Agent } from '../../agent-interface.ts'
import { systemClock } from '../../ports.ts'
import { runSource, type Source } from '../../sources/source.ts'
import { untilAborted } from '../../until-aborted.ts'
import type { Output } from '../output.ts'
import type { Monitor } from './monitor.ts'

export interface RunSourcesOptions {
  agent: Agent
  stop: AbortSignal
  monitor: Monitor
  output: Output
  /** A source that can wait does so while the spool has more bytes. */
  maxSpooledBytes: number
  onUnusable(): void
}

/** Longest time for the sources to end after the signal, in ms. */
const stoppingMs = 2_000

export async function runSources(sources: readonly Source[], options: RunSourcesOptions): Promise<void> {
  const { stop, output } = options
  const running = new Set<string>()
  const failures: unknown[] = []
  const failed = new AbortController()
  const signal = AbortSignal.any([stop, failed.signal])
  const ended = Promise.all(
    sources.map(async (source) => {
      running.add(source.name)
      try {
        await run(source, signal, options)
      } catch (error) {
        failures.push(error)
        failed.abort()
      } finally {
        running.delete(source.name)
      }
    }),
  )
  await Promise.race([ended, untilAborted(signal).then(() => systemClock.sleep(stoppingMs))])
  if (running.size > 0) {
    output.event('not_stopped', `${[...running].join(', ')}: did not stop within ${stoppingMs / 1_000} s`)
  }
  if (failures.length > 0) throw failures[0]
}

async function run(source: Source, signal: AbortSignal, options: RunSourcesOptions): Promise<void> {
  const { agent, monitor, output, maxSpooledBytes, onUnusable } = options
  monitor.source(source.name, 'running')
  await runSource(source, agent, {
    signal,
    maxSpooledBytes,
    onStored: (positions) => monitor.stored(source.name, positions),
    onPartial: (part) => monitor.partial(source.name, part),
    onState(message) {
      monitor.source(source.name, message)
      output.event('source', `${source.name}: ${message}`)
    },
    onUnusable(message, reason) {
      onUnusable()
      monitor.unusable(source.name, reason)
      output.event('unusable', `${source.name}: ${message}`, { source: source.name, reason })
    },
  })
}
