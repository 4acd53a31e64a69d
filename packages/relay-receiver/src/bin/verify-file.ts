/**
 * `posrep-relay verify`: says whether a captured message is one of the service.
 * In: the file, and the issuer or its key set. Out: a line for each thing that was checked; true if all are good.
 */

import { toVisible } from '@posrep/kernel/visible'
import type { JwkSet } from '@posrep/spec'
import { systemClock } from '../ports.ts'
import { readAttempt } from '../request/delivery.ts'
import { parseMessage } from '../request/parse-message.ts'
import { verifySignatures } from '../trust/verify-signatures.ts'
import { type CapturedMessage, fromFile } from './captured-message.ts'
import { readInput, readJson, SettingError, toReason, trustCa } from './settings.ts'

export interface VerifyFileOptions {
  from?: string
  keys?: string
  ca?: string
}

export async function verifyFile(file: string, options: VerifyFileOptions): Promise<boolean> {
  const message = fromFile(file, await readInput('<file>', file))
  const trusted = await readTrust(options)
  const { device, attemptedAtMs } = readAttempt(message.headers)
  const checks = [await checkSignature(message, trusted), checkBody(message)]
  const rows = [
    ...checks.map(({ name, text }) => [name, text]),
    ['device', device ?? 'webhook-id names none'],
    ['sent', attemptedAtMs === undefined ? 'webhook-timestamp is missing' : toAge(attemptedAtMs)],
  ]
  process.stdout.write(rows.map(([name = '', text]) => `${name.padEnd(10)} ${toVisible(text ?? '')}\n`).join(''))
  return checks.every(({ isGood }) => isGood)
}

interface Check {
  name: string
  text: string
  isGood: boolean
}

async function readTrust({ from, keys, ca }: VerifyFileOptions): Promise<string | JwkSet | undefined> {
  if (from !== undefined && keys !== undefined) throw new SettingError('"--from" and "--keys" exclude each other')
  await trustCa(ca)
  // verifySignatures() checks what it uses of the set.
  return keys === undefined ? from : ((await readJson('--keys', keys)) as JwkSet)
}

/** The message is judged at the time of its timestamp; its age is shown apart. */
async function checkSignature(message: CapturedMessage, from: string | JwkSet | undefined): Promise<Check> {
  const name = 'signature'
  if (from === undefined) return { name, text: 'not checked; give --from or --keys', isGood: true }
  const header = (of: string) => message.headers.get(of) ?? ''
  const timestamp = header('webhook-timestamp')
  const clock = { ...systemClock, now: () => Number(timestamp) * 1000 }
  const verify = createVerify(from, clock)
  try {
    await verify({ id: header('webhook-id'), timestamp, signature: header('webhook-signature'), body: message.body })
    return { name, text: 'valid', isGood: true }
  } catch (error) {
    const reason = error instanceof Error && error.cause ? `: ${toReason(error.cause)}` : ''
    return { name, text: `not valid: ${toReason(error)}${reason}`, isGood: false }
  }
}

function createVerify(from: string | JwkSet, clock: typeof systemClock): ReturnType<typeof verifySignatures> {
  try {
    return verifySignatures({ from, clock, onError: () => {} })
  } catch (cause) {
    throw new SettingError(toReason(cause), { cause })
  }
}

function checkBody({ body }: CapturedMessage): Check {
  const name = 'message'
  try {
    const message = parseMessage(body)
    if (message.name === 'validate') return { name, text: 'validate', isGood: true }
    return { name, text: `position_report, positions: ${message.positionReport.positions.length}`, isGood: true }
  } catch (error) {
    return { name, text: `not valid: ${toReason(error)}`, isGood: false }
  }
}

function toAge(atMs: number): string {
  const ageSeconds = Math.round((systemClock.now() - atMs) / 1000)
  const isRecent = Math.abs(ageSeconds) <= 300
  return `${new Date(atMs).toISOString()}, ${ageSeconds} s ago${isRecent ? '' : '; a receiver accepts at most 300'}`
}
