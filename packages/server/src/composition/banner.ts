/**
 * Writes the banner of a started server. In: the running server. Out: text with every URL and the path of the
 * development CA.
 */

import { toVisible } from '@posrep/kernel/visible'
import type { DevelopmentCertificate } from '../adapters/development-certificate.ts'
import type { RunningServer } from './server.ts'

export interface BannerOptions {
  server: Pick<RunningServer, 'origins' | 'seeded'>
  /** The development CA, if the server uses its certificate. */
  ca: Pick<DevelopmentCertificate, 'caFile' | 'caExpiresAtMs' | 'isCaReplaced'> | undefined
  version: string
  dataDir: string | undefined
  /** What to run first, while the storage has no users. */
  firstUser?: string[] | undefined
  /** Credentials and example commands of the demo. */
  demo?: string[]
  /** Who can sign in at the portal. */
  user?: { email: string; password: string } | undefined
  /** Use ANSI escape codes, for terminals. */
  colour: boolean
}

export function toBanner({
  server,
  version,
  dataDir,
  ca,
  firstUser = [],
  demo = [],
  user,
  colour,
}: BannerOptions): string {
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text)
  const { origins, seeded } = server
  return [
    '',
    bold(`posrep-server ${version}`),
    '',
    `  identity provider    ${origins.auth}   account page: ${origins.auth}/account`,
    `  surveillance ingest  ${origins.ingest}`,
    `  portal               ${origins.ui}/   devices, pairing, relays; map: ${origins.ui}/air`,
    `  device endpoints     ${origins.ui}/v1/devices`,
    `  API reference        ${origins.ui}/docs   for programs: ${origins.ui}/openapi.json`,
    `  data                 ${dataDir ?? 'in memory, lost when the server stops'}`,
    ...(ca === undefined
      ? []
      : [
          `  development CA       ${ca.caFile}`,
          `                       trust it: NODE_EXTRA_CA_CERTS=${ca.caFile}, curl --cacert ${ca.caFile}`,
          ...(ca.isCaReplaced ? [bold('                       it was made anew at this start: trust it again')] : []),
          '                       a browser warns of it: choose "Advanced", then "Proceed", or import this file as an authority',
          `                       it must be trusted again by ${toDate(ca.caExpiresAtMs)}, or when a name is added`,
        ]),
    ...seeded.map((sentence, index) => `  ${(index === 0 ? 'seed' : '').padEnd(19)}  ${toVisible(sentence)}`),
    ...firstUser.map((line, index) => `  ${(index === 0 ? 'no users yet: run' : '').padEnd(19)}  ${line}`),
    ...(demo.length === 0 ? [] : ['', ...demo]),
    '',
    ...toBox(toNextStep(origins.ui, user)).map(bold),
    '',
  ].join('\n')
}

/** What to do now; the last thing that is printed. */
function toNextStep(ui: string, user: BannerOptions['user']): string {
  return user ? `Open ${ui}/ as ${user.email} (${user.password})` : `Open ${ui}/`
}

function toBox(line: string): string[] {
  const edge = '─'.repeat(line.length + 2)
  return [`  ┌${edge}┐`, `  │ ${line} │`, `  └${edge}┘`]
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
