/** The portal's only script: live updates, countdown, copying. The pages also work without it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The script is published with the sources and served unchanged. */
const file = import.meta.url.endsWith('.ts')
  ? new URL('../browser/portal.js', import.meta.url)
  : new URL(import.meta.resolve('#portal-script'))

export const portalScript = readFileSync(file, 'utf8')

/** The name contains a hash of the content, so that browsers may cache it forever. */
export const portalScriptPath = `/posrep-assets/${createHash('sha256').update(portalScript).digest('hex').slice(0, 16)}.js`
