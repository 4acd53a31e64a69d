/**
 * `posrep-agent pair`: shows where to press Pair, and waits until somebody has. An identity that the service accepts is
 * kept.
 * In: settings. Out: the identity in the state folder. Every answer to a poll is watched, so that the wait says why it
 * lasts.
 */
import { renderUnicodeCompact } from 'uqr'
import { AgentError, toReason } from '../../errors.ts'
import { readAnswer } from '../../http/answer.ts'
import { findAdvice } from '../../http/explain-failure.ts'
import type { Fetch } from '../../ports.ts'
import { systemClock } from '../../ports.ts'
import { findForeignAnswer } from '../../tokens/consume-pairing-token.ts'
import type { CommandDefinition } from '../command.ts'
import { findWorkingIdentity } from '../connect/find-working-identity.ts'
import { portalUrl } from '../connect/portal-url.ts'
import { connect, makeFolder } from '../connect/service.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { optionsOf } from '../settings/options.ts'
import { findNumber } from '../settings/read.ts'

const defaultTimeoutSeconds = 300
const nextSteps =
  'next, with the same flags: posrep-agent doctor checks everything and sends a report without positions; posrep-agent run --simulate circles reports test aircraft'

export const pairCommand: CommandDefinition = {
  name: 'pair',
  description: 'wait until a user presses Pair for the sensor, and keep its identity; check one that is there',
  options: optionsOf.pair,
  examples: ['posrep-agent pair --ingest https://localhost:8443 --sensor radar2'],
  async run({ settings, output }) {
    const timeoutSeconds = findNumber(settings, 'timeoutSeconds', 1) ?? defaultTimeoutSeconds
    const answers = watchAnswers()
    const service = connect({ ...settings, timeoutSeconds: String(timeoutSeconds) }, answers)
    makeFolder(service.state.folder)
    const paired = await findWorkingIdentity(service, output)
    if (paired !== undefined) {
      output.result(`already paired as ${paired}`, {
        sensorId: paired,
        identity: service.state.identity,
        already: true,
      })
      return exitCodes.ok
    }
    const url = portalUrl(settings, service)
    const shown = output.isTerminal ? `${renderUnicodeCompact(url.href)}\n\n` : ''
    output.event('waiting', `press Pair for sensor "${service.sensor}" within ${timeoutSeconds} s at\n${shown}${url}`, {
      sensor: service.sensor,
      url: url.href,
      timeoutSeconds,
    })
    const countdown = showCountdown(timeoutSeconds, answers, output)
    try {
      // Without client credentials there is always a pairing.
      const sensorId = (await service.pairing?.pair())?.sensorId
      countdown.end()
      output.result(`paired as ${sensorId}`, { sensorId, identity: service.state.identity })
      if (output.isTerminal) output.event('next', nextSteps)
      return exitCodes.ok
    } catch (error) {
      if (error instanceof AgentError && error.code === 'pairing_expired') {
        throw new CommandError('pairing_expired', whyNobody(service.sensor, answers), answers.exitCode())
      }
      throw error
    } finally {
      countdown.end()
    }
  },
}

interface Answers {
  observe(fetch: Fetch): Fetch
  /** Why no request was answered, if none was. */
  failure(): string | undefined
  status(): number | undefined
  exitCode(): typeof exitCodes.identity | typeof exitCodes.unreachable
}

function watchAnswers(): Answers {
  let failure: string | undefined
  let status: number | undefined
  return {
    observe: (fetch) => async (request) => {
      if (!request.url.includes('/consume-token')) return fetch(request)
      try {
        const response = await fetch(request)
        status = response.status
        // What answers is not the service: that is why nobody can press Pair there.
        failure = findForeignAnswer(await readAnswer(response.clone()))?.message
        return response
      } catch (error) {
        const advice = findAdvice(error)
        failure = advice === undefined ? toReason(error) : `${toReason(error)}; ${advice}`
        throw error
      }
    },
    failure: () => failure,
    status: () => status,
    exitCode: () => (failure === undefined ? exitCodes.identity : exitCodes.unreachable),
  }
}

/** One line that counts down; a change of the reason is a line that stays. */
function showCountdown(timeoutSeconds: number, answers: Answers, output: Output): { end(): void } {
  const endMs = systemClock.elapsed() + timeoutSeconds * 1_000
  let told = ''
  const timer = setInterval(() => {
    const failure = answers.failure()
    const reason = failure === undefined ? waitingFor(answers.status()) : failure
    if (failure !== undefined && reason !== told)
      output.event('unreachable', `the service cannot be reached: ${reason}`)
    told = failure === undefined ? '' : reason
    const left = Math.max(0, Math.ceil((endMs - systemClock.elapsed()) / 1_000))
    output.status(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left · ${reason}`)
  }, 1_000)
  return {
    end() {
      clearInterval(timer)
      output.status('')
    },
  }
}

function waitingFor(status: number | undefined): string {
  switch (status) {
    case undefined:
      return 'connecting'
    case 200:
      return 'Pair was pressed; storing the identity'
    case 404:
      return 'the service answers; nobody has pressed Pair yet'
    default:
      return `the service answered ${status}; trying again`
  }
}

function whyNobody(sensor: string, answers: Answers): string {
  const failure = answers.failure()
  if (failure !== undefined) return `Not paired: the service cannot be reached: ${failure}`
  if (answers.status() !== 404) return `Not paired: the service answered ${answers.status()}; try again later`
  return (
    `Not paired: the service answered all the time, and nobody pressed Pair for "${sensor}". Check that the portal lists ` +
    `a device with exactly this local ID (capital letters count), that --ingest is the ingest of that portal, and press Pair while this ` +
    'command is waiting'
  )
}
