/** The contract suite that every `Spool` implementation must pass. */

export type { RegisterTest, SpoolSubject } from './spool/spool-contract.ts'
export { spoolContract } from './spool/spool-contract.ts'
