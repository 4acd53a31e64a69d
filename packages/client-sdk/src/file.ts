export type { FileTokenStoreOptions } from './stores/file.ts'
export { fileTokenStore } from './stores/file.ts'
