/**
 * The server's TLS certificate: the operator's own, or a generated one for development. And the certificates of relays
 * and TAK servers.
 * In: settings. Out: PEM texts; SettingsError for files that cannot be read or written.
 */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { DevelopmentCertificate } from '../../adapters/development-certificate.ts'
import { isPrivateAddress } from '../../adapters/private-addresses.ts'
import type { CotDestination } from '../../air/cot/cot-outputs.ts'
import { SettingsError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Settings } from '../../settings/setting-table.ts'

export type Certificate = Pick<DevelopmentCertificate, 'cert' | 'key'>

export async function readCertificate({ tlsCert, tlsKey }: Settings): Promise<Certificate | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  return { cert: await readPem('--tls-cert', tlsCert), key: await readPem('--tls-key', tlsKey) }
}

/** The demo's relay needs the development certificate even if the server does not use it. */
export async function openDevelopmentCertificate(
  settings: Settings,
  folder: string,
  clock: Clock,
): Promise<DevelopmentCertificate | undefined> {
  const { tlsCert, insecureHttp, host, demo } = settings
  if ((insecureHttp || tlsCert !== undefined) && !demo) return undefined
  const given = [settings.authOrigin, settings.ingestOrigin, settings.uiOrigin].flatMap((origin) =>
    origin === undefined ? [] : [new URL(origin).hostname.replace(/^\[|\]$/g, '')],
  )
  // Public addresses have to be configured.
  const addresses = Object.values(networkInterfaces())
    .flatMap((list = []) => list.map(({ address }) => address))
    .filter(isPrivateAddress)
  const wildcards = new Set(['0.0.0.0', '::'])
  const names = ['localhost', hostname(), host, ...addresses, ...given].filter(
    (name) => name !== '' && !wildcards.has(name),
  )
  // Loaded here, because servers with a certificate of their own, and commands, do not use it.
  const { developmentCertificate } = await import('../../adapters/development-certificate.ts')
  try {
    return await developmentCertificate({ folder, names, clock })
  } catch (cause) {
    // The operator can solve only errors of the file system.
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new SettingsError(`The development certificate cannot be stored in "${folder}": ${cause.message}`, { cause })
  }
}

/** The development CA of a data folder, which a server on it also trusts for relays. */
export async function findDevelopmentCa(folder: string): Promise<string | undefined> {
  // A deployment with a certificate of its own has none.
  return readFile(join(folder, 'development-ca.pem'), 'utf8').catch(() => undefined)
}

/** Joins what relay connections trust besides public authorities. */
export function toRelayCa(pems: (string | undefined)[]): string {
  return pems.filter((pem) => pem !== undefined).join('\n')
}

/** Returns the certificates that relays may use besides those of public authorities, as PEM. */
export async function readRelayCa({ relayCa }: Settings): Promise<string | undefined> {
  if (relayCa === undefined) return undefined
  return readCa('--relay-ca', relayCa)
}

/** The destinations of `--air-cot`, with the content of their files. */
export async function readCotDestinations({ airCot }: Settings): Promise<CotDestination[]> {
  return Promise.all(
    airCot.map(async ({ files: { ca, cert, key }, ...destination }) => {
      const certificates = {
        ...(ca !== undefined && { ca: await readCa('"ca" of --air-cot', ca) }),
        ...(cert !== undefined && { cert: await readPem('"cert" of --air-cot', cert) }),
        ...(key !== undefined && { key: await readPem('"key" of --air-cot', key) }),
      }
      try {
        createSecureContext(certificates)
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : cause
        throw new SettingsError(`"cert" or "key" of --air-cot cannot be used: ${reason}`, { cause })
      }
      return { ...destination, certificates }
    }),
  )
}

async function readCa(flag: string, file: string): Promise<string> {
  const pem = await readPem(flag, file)
  try {
    new X509Certificate(pem)
  } catch (cause) {
    throw new SettingsError(`${flag} must be a PEM file with a certificate, "${file}" has none`, { cause })
  }
  return pem
}

async function readPem(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new SettingsError(`${flag} "${file}" cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}
