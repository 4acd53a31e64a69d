import { test } from 'vitest'
import { memoryTokenStore } from '../../src/stores/memory.ts'
import { tokenStoreContract } from '../../src/stores/token-store-contract.ts'

tokenStoreContract(test, async () => ({ store: memoryTokenStore() }))
