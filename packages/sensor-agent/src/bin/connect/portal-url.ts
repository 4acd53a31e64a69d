/**
 * The portal's page where a user presses Pair for this sensor. In: settings. Out: its address,
 * `{surveillance_ui_url}/pairing/start`.
 */
import { toUrl } from '../../check-option.ts'
import { findOrigin, type Settings } from '../settings/read.ts'

export function portalUrl(settings: Settings, { ingestOrigin, sensor }: { ingestOrigin: URL; sensor: string }): URL {
  const url = toUrl(findOrigin(settings, 'ui') ?? ingestOrigin, '/pairing/start')
  url.searchParams.set('clientUniqueId', sensor)
  return url
}
