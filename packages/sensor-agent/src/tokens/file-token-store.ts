/**
 * Stores the tokens of a paired sensor in a file that only its owner can read. Each write replaces the file, so a crash
 * leaves the old or the new tokens. Processes share it under a lock. The file names the machine: two machines with one
 * identity would end each other's refresh tokens.
 */
import { readFile, rm } from 'node:fs/promises'
import { ignoreDiskError, isCode } from '@posrep/kernel/disk-errors'
import { fileLock } from '@posrep/kernel/file-lock'
import { replaceFile } from '@posrep/kernel/replace-file'
import { AgentError } from '../errors.ts'
import { type Clock, systemClock } from '../ports.ts'
import { describeMachine, isSameMachine, type Machine } from './machine.ts'
import type { PairedTokens, TokenStore } from './token-store.ts'

export interface FileTokenStoreOptions {
  /** Takes over the identity of another machine, for example after a board was replaced. Default false. */
  adopt?: boolean
  /** Describes this machine. Default: what Linux tells about its hardware and installation. */
  machine?: () => Promise<Machine>
  /** Default: the system clock. */
  clock?: Clock
}

/** A file without `machine` belongs to the machine that writes it next. */
type StoredTokens = PairedTokens & { machine?: Machine }

/**
 * @throws from `read`: AgentError `identity_cloned` when the file comes from another machine, `identity_damaged` when
 * it does not contain an identity; an Error when it cannot be read.
 */
export function fileTokenStore(
  file: string,
  { adopt = false, machine = describeMachine, clock = systemClock }: FileTokenStoreOptions = {},
): Required<TokenStore> {
  return {
    lock: fileLock(`${file}.lock`, clock),
    async read() {
      const text = await readFile(file, 'utf8').catch((error) => {
        if (isCode(error, 'ENOENT')) return undefined
        throw error
      })
      if (text === undefined) return undefined
      const stored = toStoredTokens(text)
      if (!stored) {
        const message = `"${file}" does not contain the identity of a paired sensor; delete it and pair again`
        throw new AgentError('identity_damaged', message)
      }
      const { machine: owner, ...tokens } = stored
      const here = await machine()
      const isHere = owner !== undefined && isSameMachine(owner, here)
      if (owner && !adopt && !isHere) {
        const message = `"${file}" has the identity of sensor "${tokens.sensorId}" on another machine; pair this machine, or adopt the identity if the other one no longer runs`
        throw new AgentError('identity_cloned', message)
      }
      // On a full disk the identity is used, and bound to this machine by the next write.
      if (!isHere) await store(file, { ...tokens, machine: here }).catch(ignoreDiskError)
      return tokens
    },
    async write(tokens) {
      await store(file, { ...tokens, machine: await machine() })
    },
    async clear() {
      await rm(file, { force: true })
    },
  }
}

async function store(file: string, tokens: StoredTokens): Promise<void> {
  await replaceFile(file, JSON.stringify(tokens))
}

function toStoredTokens(text: string): StoredTokens | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The caller reports the file's name. The text may contain secrets and must not appear in a message.
    return undefined
  }
  return isStoredTokens(value) ? value : undefined
}

function isStoredTokens(value: unknown): value is StoredTokens {
  if (typeof value !== 'object' || value === null) return false
  // It is an object; its members may be missing, so their values are unknown.
  const { accessToken, refreshToken, issuedAtMs, expiresAtMs, sensorId, machine } = value as Record<string, unknown>
  return (
    [accessToken, refreshToken, sensorId].every((text) => typeof text === 'string' && text !== '') &&
    [issuedAtMs, expiresAtMs].every((time) => typeof time === 'number') &&
    (machine === undefined || isMachine(machine))
  )
}

function isMachine(value: unknown): value is Machine {
  if (typeof value !== 'object' || value === null) return false
  const { serial, cards, installation } = value as Record<string, unknown>
  return typeof serial === 'string' && typeof installation === 'string' && Array.isArray(cards)
}
