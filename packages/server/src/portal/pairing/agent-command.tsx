/**
 * A command of our agent for the sensor, as it is typed on the device.
 * In: what the command does, and where the server is. Out: its text, with a button that copies it.
 */
import { basename } from 'node:path'

export interface AgentCommandProps {
  /** `pair`, or `run` with its sources. */
  command: string
  localId: string
  origins: { ingest: string; ui: string }
  /** The path of the development CA; undefined when the certificate is another one. */
  caFile: string | undefined
}

export function AgentCommand({ command, localId, origins, caFile }: AgentCommandProps) {
  const ca = caFile === undefined ? undefined : isOnThisMachine(origins) ? caFile : basename(caFile)
  const [name = '', ...sources] = command.split(' ')
  const parts = ['npx @posrep/sensor-agent', name, `--ingest ${origins.ingest}`, `--sensor ${localId}`].concat(
    ca === undefined ? [] : `--ca ${quote(ca)}`,
    sources,
  )
  const text = parts.join(' ')
  return (
    <>
      <pre class="command">
        <code>{parts.flatMap((part, index) => [index === 0 ? '' : ' ', <span key={part}>{part}</span>])}</code>
      </pre>
      <div>
        <button type="button" class="link" data-copy={text} hidden>
          Copy<span class="unseen"> the command</span>
        </button>
      </div>
      {ca !== undefined && !isOnThisMachine(origins) && (
        <p class="help">
          This server has a certificate for development. Copy the file <code>{ca}</code> from the folder of its data to
          the device first.
        </p>
      )}
    </>
  )
}

/** Whether the portal is used on the machine of the server: its addresses lead nowhere on other devices. */
export function isOnThisMachine({ ui }: { ui: string }): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(ui).hostname)
}

function quote(path: string): string {
  return /^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
