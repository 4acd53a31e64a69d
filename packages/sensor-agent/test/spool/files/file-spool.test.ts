import { test } from 'vitest'
import { fileSpool } from '../../../src/spool/files/file-spool.ts'
import { spoolContract } from '../../../src/spool/spool-contract.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

for (const durability of ['file', 'memory-first'] as const) {
  spoolContract(
    (name, body) => test(`${durability}: ${name}`, body),
    async ({ maxBytes }) => ({ spool: await fileSpool(await aTempFolder(), { maxBytes, durability }) }),
  )
}
