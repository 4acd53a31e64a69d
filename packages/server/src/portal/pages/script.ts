/** The one script of the portal, which the pages do without: live parts, countdown, copying. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** It is shipped with the sources and served as it stands there. */
const file = import.meta.url.endsWith('.ts')
  ? new URL('../browser/portal.js', import.meta.url)
  : new URL(import.meta.resolve('#portal-script'))

export const portalScript = readFileSync(file, 'utf8')

/** Named after its content, so that it can be kept for ever. */
export const portalScriptPath = `/posrep-assets/${createHash('sha256').update(portalScript).digest('hex').slice(0, 16)}.js`
