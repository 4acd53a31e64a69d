/**
 * Which parts of a cluster are away, or refuse writes. In: the links of all parts. Out: the answer of `FindPartsAway`.
 */
import type { PartsAway } from '../../../ports/storage/storage-parts.ts'
import type { RedisLink } from '../link/link.ts'
import type { RedisParts } from '../link/open-redis.ts'
import { createReadScript } from '../link/script.ts'

/** Only the checks of every script. */
const probeScript = createReadScript('return 1')

export async function findPartsAway({
  service,
  partitions,
}: Pick<RedisParts, 'service' | 'partitions'>): Promise<PartsAway> {
  const [isServiceAway = true, ...away] = await Promise.all([service, ...partitions].map(isAway))
  return { service: isServiceAway, partitions: away.filter(Boolean).length, of: away.length }
}

async function isAway(link: RedisLink): Promise<boolean> {
  try {
    await link.run(probeScript, [], [])
    return false
  } catch {
    // The link logs why it has no connection.
    return true
  }
}
