/**
 * The relay receiver in Cloudflare's runtime, workerd.
 * In: the receiver's options and a certificate. Out: a configuration file for `workerd serve`: an HTTPS socket on a
 * free port, whose worker is one bundled module.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReceiverOptions } from '@posrep/relay-receiver'
import { build } from 'vite'
import { onTestFinished } from 'vitest'

export interface WorkersOptions {
  options: Pick<ReceiverOptions, 'from' | 'devices' | 'clientParts'>
  cert: string
  key: string
}

const program = fileURLToPath(new URL('relay-receiver-worker.mjs', import.meta.url))

export async function writeWorkersConfiguration({ options, cert, key }: WorkersOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await build({
    configFile: false,
    logLevel: 'silent',
    define: { OPTIONS: JSON.stringify(options) },
    build: { outDir: folder, lib: { entry: program, formats: ['es'], fileName: 'worker' } },
  })
  const file = join(folder, 'config.capnp')
  await writeFile(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "relay", worker = (modules = [(name = "worker.js", esModule = embed "worker.js")], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "relay", address = "127.0.0.1:0", service = "relay",
    https = (options = (), tlsOptions = (keypair = (privateKey = ${text(key)}, certificateChain = ${text(cert)}))))],
);
`,
  )
  return file
}

/** Cap'n Proto writes texts as JSON does. */
function text(value: string): string {
  return JSON.stringify(value)
}
