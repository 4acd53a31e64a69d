/** The contract suite that every `TokenStore` implementation must pass. */

export type { RegisterTest, TokenStoreSubject } from './stores/token-store-contract.ts'
export { tokenStoreContract } from './stores/token-store-contract.ts'
