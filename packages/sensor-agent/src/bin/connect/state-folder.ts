/** The agent's state folder. In: settings. Out: the paths in it. systemd gives a service its own as STATE_DIRECTORY. */
import { resolve } from 'node:path'
import { findText, type Settings } from '../settings/read.ts'

export interface StateFolder {
  folder: string
  identity: string
  spool: string
  refused: string
  /** Where the running agent says how to ask it. */
  running: string
}

export function toStateFolder(settings: Settings): StateFolder {
  const folder = resolve(findText(settings, 'stateDir') ?? process.env.STATE_DIRECTORY ?? '.posrep-agent')
  return {
    folder,
    identity: resolve(folder, 'identity.json'),
    spool: resolve(folder, 'spool'),
    refused: resolve(folder, 'refused.ndjson'),
    running: resolve(folder, 'running.json'),
  }
}
