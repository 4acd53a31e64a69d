/** What a person sees when the server listens: every URL, how to trust the certificate, where to go on. */
import type { RunningServer } from './server.ts'

export interface BannerOptions {
  server: Pick<RunningServer, 'origins'>
  /** Of the development CA, if the server uses its certificate. */
  caFile: string | undefined
  version: string
  dataDir: string | undefined
  /** Lines of the demo: its credentials and what to try. */
  demo?: string[]
  /** Paint it; for terminals. */
  colour: boolean
}

export function toBanner({ server, version, dataDir, caFile, demo = [], colour }: BannerOptions): string {
  const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text)
  const { origins } = server
  return [
    '',
    bold(`posrep-server ${version}`),
    '',
    `  identity provider    ${origins.auth}   account page: ${origins.auth}/account`,
    `  surveillance ingest  ${origins.ingest}`,
    `  portal               ${origins.ui}/   devices, pairing, relays`,
    `  device endpoints     ${origins.ui}/v1/devices`,
    `  the document         ${origins.ui}/openapi.json`,
    `  data                 ${dataDir ?? 'in memory, nothing is kept'}`,
    ...(caFile === undefined
      ? []
      : [
          `  development CA       ${caFile}`,
          `                       trust it: NODE_EXTRA_CA_CERTS=${caFile}, curl --cacert ${caFile}`,
        ]),
    ...(demo.length === 0 ? [] : ['', ...demo]),
    '',
  ].join('\n')
}
