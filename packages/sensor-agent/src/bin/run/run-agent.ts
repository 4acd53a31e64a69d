/**
 * Runs the agent with its sources until they end or a signal arrives, then sends what is in the spool.
 * In: settings. Out: the exit status. SIGTERM, SIGINT and SIGHUP stop the sources and allow ten seconds for the spool;
 * a second signal ends the process at once. While the service cannot be reached, the positions wait in the spool.
 */
import { access } from 'node:fs/promises'
import { isCreateError } from '@posrep/kernel/disk-errors'
import { createAgent } from '../../agent.ts'
import { describeDuration } from '../../describe-duration.ts'
import { AgentError, toReason } from '../../errors.ts'
import { systemClock } from '../../ports.ts'
import { refusedFile } from '../../refused/refused-file.ts'
import type { Source } from '../../sources/source.ts'
import { fileSpool } from '../../spool/files/file-spool.ts'
import type { DropReasons } from '../../spool/spool.ts'
import { untilAborted } from '../../until-aborted.ts'
import { checkSensor } from '../connect/check-sensor.ts'
import { portalUrl } from '../connect/portal-url.ts'
import { makeFolder, type Service } from '../connect/service.ts'
import { CommandError, type ExitCode, exitCodes, toExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { findNumber, findOneOf, isSet, type Settings } from '../settings/read.ts'
import type { Monitor } from './monitor.ts'
import { withoutRepetitions } from './repeated-lines.ts'
import { runSources } from './run-sources.ts'
import { showStatusLine } from './status-line.ts'
import { checkStatus, startStatusServer } from './status-server.ts'
import { untilSetBack } from './until-set-back.ts'
import { waitForPair } from './wait-for-pair.ts'

const defaultSpoolMegabytes = 256
/**
 * What a source that can wait takes of the spool; the rest is for live sources beside it, and for what the files add to
 * a position.
 */
const waitingShare = 0.5

export async function runAgent(
  settings: Settings,
  service: Service,
  sources: readonly Source[],
  monitor: Monitor,
  terminal: Output,
): Promise<ExitCode> {
  const output = withoutRepetitions(terminal, systemClock)
  const { ingestOrigin, sensor, tokens, fetch, state } = service
  checkStatus(settings)
  // What is wrong with the identity is told by the agent.
  const stored = service.pairing && (await service.identity.read().catch(() => undefined))
  if (stored) checkSensor(stored.sensorId, sensor)
  makeFolderIfPossible(state.folder)
  const signals = stopOnSignals()
  const setBack = new AbortController()
  const stop = AbortSignal.any([signals, setBack.signal])
  const pairing = service.pairing && !(await isPaired(state.identity)) ? service.pairing : undefined
  if (pairing) {
    const message = `sensor "${sensor}" is not paired: press Pair at ${portalUrl(settings, service)}`
    monitor.alarm({ code: 'not_paired', message })
    output.event('not_paired', message)
  }
  const maxBytes = (findNumber(settings, 'spoolMegabytes', 1) ?? defaultSpoolMegabytes) * 1_048_576
  const spool = await openSpool(settings, state.spool, maxBytes, monitor, output)
  const refused = refusedFile(state.refused)
  const agent = createAgent({
    ingestOrigin,
    sensor,
    tokens,
    fetch,
    spool,
    correctClock: isSet(settings, 'correctClock'),
    onRefused: refused.append,
    onOutcome: (outcome) => {
      if (outcome.kind === 'retry' && monitor.isNewFailure(outcome.reason))
        output.event('retry', `${outcome.reason}; ${outcome.positions} positions wait`)
      if (outcome.kind === 'refused')
        output.event('refused', `${outcome.positions} positions: ${outcome.reason}; see posrep-agent refused`)
      if (outcome.kind === 'accepted' && monitor.recovered())
        output.event('online', `the service accepts positions again; ${agent.stats().spooled} positions wait`)
    },
    onAlarm: tellAlarm(monitor, output),
    onDropped: (positions, reasons) => output.event('dropped', whyDropped(reasons), { positions, reasons }),
  })
  monitor.watch(agent, spool)
  const server = await startStatusServer(settings, monitor, state, output).catch(async (error) => {
    // The lock of the spool is released, too, so that the next start finds a clean stop.
    await agent.close({ drain: false })
    throw error
  })
  if (pairing) void waitForPair(pairing, stop, { monitor, output, onAlarm: tellAlarm(monitor, output) })
  const line = showStatusLine(monitor, output)
  let failure: ExitCode = exitCodes.ok
  void untilSetBack(stop).then((byMs) => {
    if (byMs === undefined) return
    failure = exitCodes.clock
    output.event(
      'clock_set_back',
      `this machine's clock was set back by ${describeDuration(byMs)}; the next run follows it`,
      { byMs },
    )
    setBack.abort()
  })
  let unusable = 0
  const onUnusable = () => {
    unusable += 1
  }
  try {
    await runSources(sources, { agent, stop, monitor, output, maxSpooledBytes: maxBytes * waitingShare, onUnusable })
    // What arrived is sent at once, not after the usual delay.
    if (!stop.aborted) await Promise.race([agent.flush(), untilAborted(stop)])
  } catch (error) {
    if (!stop.aborted) failure = failed(error, output)
  }

  const stats = await agent.close()
  line.end()
  await server.close()
  const { accepted, refused: refusals, dropped, spooled } = stats
  const message = `${accepted} accepted, ${refusals} refused, ${dropped} dropped, ${spooled} not sent, ${unusable} unusable`
  output.endRepeated()
  output.event('ended', message, { ...stats, unusable })
  if (failure !== exitCodes.ok) return failure
  const isIncomplete = spooled > 0 || (!stop.aborted && unusable + refusals + dropped > 0)
  return isIncomplete ? exitCodes.incomplete : exitCodes.ok
}

function tellAlarm(monitor: Monitor, output: Output): (error: AgentError) => void {
  return (error) => {
    if (monitor.alarm(error)) output.event('alarm', `action required: ${error.message}`, { code: error.code })
  }
}

/** On a full or read-only disk the agent runs in memory; the spool tells that. */
function makeFolderIfPossible(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    if (!(error instanceof CommandError) || !isCreateError(error.cause)) throw error
  }
}

async function isPaired(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

async function openSpool(settings: Settings, folder: string, maxBytes: number, monitor: Monitor, output: Output) {
  const durability = findOneOf(settings, 'durability', ['file', 'memory-first'] as const)
  const whenFull = findOneOf(settings, 'whenFull', ['oldest', 'thin-per-target'] as const)
  const spool = await fileSpool(folder, {
    maxBytes,
    ...(durability !== undefined && { durability }),
    ...(whenFull !== undefined && { whenFull }),
    onAlarm: tellAlarm(monitor, output),
  })
  const { entries, tooOld, cleanStop, mayHaveLostMs, damaged } = spool.recovery
  if (entries > 0) output.event('recovered', `${entries} positions of the last run wait in the spool`, spool.recovery)
  if (tooOld > 0) output.event('dropped', whyDropped({ full: 0, tooOld, diskFailing: 0 }), spool.recovery)
  if (damaged > 0)
    output.event('damaged', `${damaged} positions in the spool are damaged, and lost; check the disk`, spool.recovery)
  if (!cleanStop) {
    const lost =
      mayHaveLostMs > 0
        ? `positions of its last ${mayHaveLostMs / 1_000} s may be lost, if the service had not accepted them`
        : `no ${damaged > 0 ? 'other ' : ''}position that it had stored is lost`
    output.event('unclean', `the last run did not stop cleanly; ${lost}`, spool.recovery)
  }
  return spool
}

function whyDropped({ full, tooOld, diskFailing }: DropReasons): string {
  const reasons = [
    full > 0 ? `the spool is full: dropped the ${full} oldest positions` : '',
    tooOld > 0 ? `dropped ${tooOld} positions that had waited for more than 7 days` : '',
    diskFailing > 0
      ? `the disk cannot be written and the memory is full: dropped the ${diskFailing} oldest positions`
      : '',
  ]
  return reasons.filter((reason) => reason !== '').join('; ')
}

function failed(error: unknown, output: Output): ExitCode {
  const [code, message, exitCode] = toExitCode(error)
  // An error of the network or the disk in a source is not a bug.
  if (error instanceof AgentError) return output.failed(code, message, exitCode)
  return output.failed('source_failed', toReason(error), exitCodes.source)
}

function stopOnSignals(): AbortSignal {
  const stop = new AbortController()
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(exitCodes.killed)
    stop.abort(new Error('stopped by a signal'))
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  return stop.signal
}
