/**
 * Checks the arguments of the command line.
 * In: text. Out: values, or a SettingError: one line on standard error and exit code 2.
 */
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'

export class SettingError extends Error {
  override readonly name = 'SettingError'
}

export function toUrl(option: string, text: string): URL {
  const url = URL.parse(text)
  if (url && ['http:', 'https:'].includes(url.protocol)) return url
  throw new SettingError(`"${option}" must be a URL such as http://localhost:8080/position-reports, got "${text}"`)
}

export function toPort(option: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new SettingError(`"${option}" must be a port from 0 to 65535, got "${text}"`)
}

export async function readInput(option: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    throw new SettingError(`"${option}" cannot be read: ${toReason(cause)}`, { cause })
  }
}

export async function readJson(option: string, file: string): Promise<unknown> {
  const text = await readInput(option, file)
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw new SettingError(`"${option}" must be a JSON file, "${file}" is not: ${toReason(cause)}`, { cause })
  }
}

/** Makes this process trust a CA besides the system's. */
export async function trustCa(file: string | undefined): Promise<void> {
  if (file === undefined) return
  const pem = String(await readInput('--ca', file))
  // Node 22.19 and 24.5 have it.
  if (!('setDefaultCACertificates' in tls)) {
    throw new SettingError('"--ca" needs Node 22.19 or newer; with this one set NODE_EXTRA_CA_CERTS instead')
  }
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem])
}

export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
