/** Of oidc-provider, what it keeps its state in where nobody gives it an adapter; no part of its types. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { Adapter } from 'oidc-provider'

  const MemoryAdapter: new (model: string, entries: object) => Adapter
  export default MemoryAdapter
}

declare module 'oidc-provider/lib/helpers/lru.js' {
  const LRU: new (options: { maxSize: number }) => object
  export default LRU
}
