/** The version of the published package, and the name that the agent gives servers. */
import manifest from '../package.json' with { type: 'json' }

export const userAgent = `posrep-agent/${manifest.version}`
