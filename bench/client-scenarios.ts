/** Calls with the client SDK, compared with plain openapi-fetch. */
import { startClient } from './contenders/client-contenders.ts'
import type { Scenario } from './scenario.ts'

const ours = 'posrep client SDK'
const plain = 'openapi-fetch'

export const clientScenarios: Scenario[] = [
  {
    name: 'sdk: lists and renames',
    load: 'client-load.ts',
    contenders: {
      [ours]: (options) => startClient('sdk', options),
      [plain]: () => startClient('openapi-fetch'),
    },
    // At most a tenth more time.
    goals: [{ of: ours, over: plain, figure: 'perSecond', bound: 1 / 1.1 }],
  },
]
