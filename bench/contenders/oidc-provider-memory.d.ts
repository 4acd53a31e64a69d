/** oidc-provider's default adapter, in memory, which its types do not declare. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { Adapter } from 'oidc-provider'

  const MemoryAdapter: new (model: string, entries: object) => Adapter
  export default MemoryAdapter
}

declare module 'oidc-provider/lib/helpers/lru.js' {
  const LRU: new (options: { maxSize: number }) => object
  export default LRU
}
