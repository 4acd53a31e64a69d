/**
 * Passwords of people: scrypt, with its parameters stored beside the hash (PHC string), so that they can be increased
 * later. A check takes the same work whether or not the user exists. A bounded queue limits the checks that wait.
 */
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { createLimit } from '../../concurrency/limit.ts'
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
/** Two, because signatures need the other threads of Node's pool. */
const limit = createLimit({ maxRunning: 2, maxWaiting: 64 })

const stored = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/

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

function derive(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
  // NFKC: another keyboard may encode the same password differently (NIST SP 800-63B §3.1.1.2).
  return limit('scrypt', () => scryptKey(password.normalize('NFKC'), salt, options))
}

function scryptKey(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key))),
  )
}
