export type { IndexedDbTokenStoreOptions } from './stores/indexed-db.ts'
export { indexedDbTokenStore } from './stores/indexed-db.ts'
