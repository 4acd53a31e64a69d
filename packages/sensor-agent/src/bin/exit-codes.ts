/**
 * The exit statuses of the command, by class, so that scripts and service managers can decide what to do.
 * In: an error. Out: its code, its message and the exit status.
 */
import { AgentError, type AgentErrorCode, toReason } from '../errors.ts'

export const exitCodes = {
  ok: 0,
  /** The command ran, and something was refused, dropped, unusable or not sent, or a check failed. */
  incomplete: 1,
  /** A wrong setting, flag or command. */
  usage: 2,
  /** The service does not accept who this is: not paired, wrong credentials, the identity of another machine. */
  identity: 3,
  /** The service, or the agent that is asked for its status, cannot be reached. */
  unreachable: 4,
  /** The state folder or the spool cannot be used. */
  storage: 5,
  /** The source failed for good: a recording that cannot be read, a port that is in use. */
  source: 6,
  /** This machine's clock was set back by more than 10 minutes: only a new process can follow it. */
  clock: 7,
  /** An error of the program. */
  bug: 70,
  /** Ended at once by a second signal. */
  killed: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const classes: Record<AgentErrorCode, ExitCode> = {
  invalid_position: exitCodes.incomplete,
  position_too_large: exitCodes.incomplete,
  agent_closed: exitCodes.incomplete,
  credentials_refused: exitCodes.identity,
  token_unavailable: exitCodes.unreachable,
  token_refused: exitCodes.identity,
  pairing_denied: exitCodes.identity,
  pairing_expired: exitCodes.identity,
  pairing_lost: exitCodes.identity,
  identity_cloned: exitCodes.identity,
  identity_damaged: exitCodes.identity,
  service_unreachable: exitCodes.unreachable,
  foreign_answer: exitCodes.unreachable,
  clock_wrong: exitCodes.incomplete,
  spool_stuck: exitCodes.storage,
  spool_unwritable: exitCodes.storage,
  spool_in_use: exitCodes.storage,
  spool_newer_format: exitCodes.storage,
  recording_unreadable: exitCodes.source,
}

/** Ends the command with one line: what was wrong, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: string
  readonly exitCode: ExitCode

  constructor(code: string, message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.exitCode = exitCode
  }
}

/** A wrong setting. No message contains a value that may be a secret. */
export class SettingError extends CommandError {
  constructor(message: string, options?: ErrorOptions) {
    super('wrong_setting', message, exitCodes.usage, options)
  }
}

export function toExitCode(error: unknown): [code: string, message: string, exitCode: ExitCode] {
  if (error instanceof CommandError) return [error.code, error.message, error.exitCode]
  if (error instanceof AgentError) return [error.code, error.message, classes[error.code]]
  if (isFileError(error))
    return ['file', `${error.message}; check the path, the disk and the permissions`, exitCodes.storage]
  return ['unexpected', toReason(error), exitCodes.bug]
}

/** An error of the file system, such as `ENOSPC`. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'path' in error
}
