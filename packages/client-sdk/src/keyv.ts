export type { KeyvTokenStoreOptions } from './stores/keyv.ts'
export { keyvTokenStore } from './stores/keyv.ts'
