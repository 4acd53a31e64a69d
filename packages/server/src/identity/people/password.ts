/**
 * Passwords of people: scrypt, with its parameters stored beside the hash (PHC string), so that they can be increased later.
 * A check takes the same work whether or not the user exists. A bounded queue limits the checks that wait.
 */
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { ApiError } from '../../errors.ts'
import { isSameSecret } from '../../secrets.ts'

export const minPasswordLength = 8
export const maxPasswordLength = 256

export function isPasswordLength({ length }: string): boolean {
  return length >= minPasswordLength && length <= maxPasswordLength
}

/** scrypt's parameters; `logN` is the base-2 logarithm of N. */
export interface PasswordCost {
  logN: number
  r: number
  p: number
}

/** OWASP's 32 MiB row: N = 2^15, r = 8, p = 3. */
const current: PasswordCost = { logN: 15, r: 8, p: 3 }
const keyBytes = 32
const maxRunning = 2
const maxWaiting = 64

const stored = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/

let running = 0
const waiting: (() => void)[] = []

/** `$scrypt$ln=…,r=…,p=…$salt$hash`, for `User.passwordHash`. */
export async function hashPassword(password: string, cost: PasswordCost = current): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Without a hash it does the same work and returns false. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const match = stored.exec(passwordHash ?? '')
  if (!match) {
    await derive(password, Buffer.alloc(16), current)
    return false
  }
  const [, logN = '', r = '', p = '', salt = '', hash = ''] = match
  const key = await derive(password, Buffer.from(salt, 'base64url'), { logN: Number(logN), r: Number(r), p: Number(p) })
  return isSameSecret(key.toString('base64url'), hash)
}

async function derive(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  await enter()
  try {
    // NFKC: another keyboard may encode the same password differently (NIST SP 800-63B §3.1.1.2).
    return await scryptKey(password.normalize('NFKC'), salt, { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r })
  } finally {
    leave()
  }
}

function scryptKey(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key))),
  )
}

async function enter(): Promise<void> {
  if (running < maxRunning) {
    running++
    return
  }
  if (waiting.length >= maxWaiting) {
    throw new ApiError('too_many_requests', 'Too many sign-ins at once; try again', { headers: { 'Retry-After': '5' } })
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}

/** Starts the next waiting hash, or frees the slot. */
function leave(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}
