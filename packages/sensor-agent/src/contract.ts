/** The door for those who write a spool of their own: the suite that theirs has to pass. */

export type { RegisterTest, SpoolSubject } from './spool/spool-contract.ts'
export { spoolContract } from './spool/spool-contract.ts'
