/** Reads what Redis says about itself. In: the answer to INFO. Out: its fields by name. */
export function toInfo(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]]
    }),
  )
}

/** Of the section "cluster". Valkey has another name for the `redis_mode` of the section "server". */
export function isClusterNode(info: Map<string, string>): boolean {
  return info.get('cluster_enabled') === '1'
}

/** Whether messages can stay on the node of their channel (`SPUBLISH`). Scripts ask Redis the same question. */
export function hasShardedMessages(info: Map<string, string>): boolean {
  return Number.parseInt(info.get('redis_version') ?? '', 10) >= 7
}
