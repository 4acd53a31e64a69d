import { expect, test } from 'vitest'
import { memorySpool } from '../../src/spool/memory-spool.ts'
import { spoolContract } from '../../src/spool/spool-contract.ts'

spoolContract(test, async ({ maxBytes }) => ({ spool: memorySpool({ maxBytes }) }))

test('a limit that is not positive throws at creation', () => {
  for (const maxBytes of [0, -1, Number.NaN]) expect(() => memorySpool({ maxBytes })).toThrow('"maxBytes"')
})
