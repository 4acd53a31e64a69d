/**
 * The options of the receiver, and their checks.
 * In: options as given. Out: options with defaults, or a RangeError or TypeError that names the wrong one.
 */
import type { JwkSet, PositionReport } from '@posrep/spec'
import { type Clock, type Fetch, printToConsole, systemClock, systemFetch } from './ports.ts'
import type { Answered } from './request/answered.ts'
import type { Delivery } from './request/delivery.ts'
import type { ValidationAnswer } from './request/validation-answer.ts'
import type { DeduplicationStore } from './stores/deduplication-store.ts'
import { memoryStore } from './stores/memory-store.ts'
import type { PinningOptions } from './trust/pinning.ts'

/**
 * Receives one report as it was submitted, including unknown members. The message is delivered when this returns or
 * resolves; when it throws or rejects, the service sends the message again.
 */
export type OnReport = (report: PositionReport, delivery: Delivery) => void | Promise<void>

interface CommonOptions {
  onReport: OnReport
  /** Receives the cause of each 5xx answer; the answer does not contain it. Default: prints to the console. */
  onError?: (cause: unknown) => void
  /** Called after each answer, for logs and metrics. */
  onAnswer?: (answered: Answered) => void
  /**
   * The answer to a validation message: `text` (the code as text/plain), `json` (`{"validationCode": …}`), or a
   * function that makes the response. Default `text`.
   */
  validationAnswer?: ValidationAnswer
  /**
   * When validation messages are answered: `always`, or `expected`: only after `expectValidation()`. Default `always`.
   */
  validations?: 'always' | 'expected'
  /** Where the IDs of accepted messages are kept. Default: memoryStore(), the last 10,000 in memory. */
  store?: DeduplicationStore
  /** How many calls of `onReport` may run at the same time; further messages are answered with 503. Default 100. */
  maxConcurrent?: number
  /** Largest body, in bytes. Default 2 MiB; the service accepts reports of up to 1 MiB. */
  maxBodyBytes?: number
  /** How many bytes of bodies may be in memory at the same time. At least `maxBodyBytes`. Default 64 MiB. */
  maxBufferedBytes?: number
  /** Longest time until the answer, in ms. Default 9_000; the service waits 10 s. It does not stop `onReport`. */
  deadlineMs?: number
  /**
   * How long a call of `onReport` may run, in ms, before the next attempt calls it again. At least `deadlineMs`.
   * Default 60_000.
   */
  onReportTimeoutMs?: number
  /** Fetches the service's metadata and keys. Default: the global fetch. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
}

/** Messages are accepted only with a signature of the service, and only for these devices. */
interface SignedOptions {
  /**
   * The service's issuer, the origin `{auth_url}`; or its key set, for a receiver that cannot reach it. See
   * VerifyOptions.
   */
  from: string | URL | JwkSet
  acceptUnsigned?: false
}

/** Anyone who finds the address can send reports, and make it the relay of any device. */
interface UnsignedOptions {
  from?: undefined
  acceptUnsigned: true
}

type Pinned = Required<Pick<PinningOptions, 'devices'>> | Required<Pick<PinningOptions, 'clientParts'>>

export type ReceiverOptions = CommonOptions & PinningOptions & ((SignedOptions & Pinned) | UnsignedOptions)

export type ResolvedOptions = Required<CommonOptions> & PinningOptions & Pick<SignedOptions | UnsignedOptions, 'from'>

/** @throws RangeError, TypeError */
export function resolveOptions({
  onReport,
  onError = printToConsole,
  onAnswer = () => {},
  validationAnswer = 'text',
  validations = 'always',
  store = memoryStore(),
  maxConcurrent = 100,
  maxBodyBytes = 2 * 1024 * 1024,
  maxBufferedBytes = Math.max(64 * 1024 * 1024, maxBodyBytes),
  deadlineMs = 9_000,
  onReportTimeoutMs = Math.max(60_000, deadlineMs),
  fetch = systemFetch,
  clock = systemClock,
  from,
  acceptUnsigned,
  devices,
  clientParts,
}: ReceiverOptions): ResolvedOptions {
  checkTrust({ from, acceptUnsigned, devices, clientParts })
  checkFunctions({ onReport, onError, onAnswer, fetch })
  checkChoice('validations', validations, ['always', 'expected'])
  if (typeof validationAnswer !== 'function') checkChoice('validationAnswer', validationAnswer, ['text', 'json'])
  checkWholeNumbers({ maxConcurrent, maxBodyBytes, deadlineMs }, 1)
  checkWholeNumbers({ maxBufferedBytes }, maxBodyBytes)
  checkWholeNumbers({ onReportTimeoutMs }, deadlineMs)
  return {
    ...{ onReport, onError, onAnswer, validationAnswer, validations, store, fetch, clock },
    ...{ maxConcurrent, maxBodyBytes, maxBufferedBytes, deadlineMs, onReportTimeoutMs },
    ...{ from, ...(devices && { devices }), ...(clientParts && { clientParts }) },
  }
}

/** For callers without TypeScript, and for values that are undefined at run time, such as environment variables. */
function checkTrust({ from, acceptUnsigned, devices, clientParts }: Record<string, unknown>): void {
  if (from === undefined && acceptUnsigned !== true) {
    throw new TypeError(
      '"from" must be the service\'s issuer, such as https://auth.example.net; a receiver without it needs acceptUnsigned: true',
    )
  }
  if (from !== undefined && acceptUnsigned === true) {
    throw new TypeError('"from" and "acceptUnsigned: true" exclude each other')
  }
  if (from !== undefined && devices === undefined && clientParts === undefined) {
    throw new TypeError(
      '"devices" or "clientParts" must name whose messages are accepted: any account of the service can set your address as the ' +
        "relay of its device; devices: 'all' accepts the messages of all accounts",
    )
  }
}

function checkFunctions(options: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== 'function') throw new TypeError(`"${name}" must be a function, got ${String(value)}`)
  }
}

function checkChoice(name: string, value: string, choices: string[]): void {
  if (choices.includes(value)) return
  throw new TypeError(
    `"${name}" must be ${choices.map((one) => `"${one}"`).join(' or ')}, got ${JSON.stringify(value)}`,
  )
}

function checkWholeNumbers(options: Record<string, number>, least: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (Number.isSafeInteger(value) && value >= least) continue
    throw new RangeError(`"${name}" must be a whole number of at least ${least}, got ${value}`)
  }
}
