/** Messages to one, a hundred or a thousand relays, in order for each, beside a loop that signs and posts them. */
import { startPosrepDeliveries, startPostLoop } from './contenders/delivery-contenders.ts'
import type { RelayMessages } from './contenders/start-relay-sink.ts'
import type { Scenario } from './scenario.ts'

const ours = 'posrep, SQLite'
const loop = 'undici loop that signs'

export const deliveryScenarios: Scenario[] = [
  toScenario({ relays: 1, messages: 9_000 }),
  toScenario({ relays: 100, messages: 1_440 }),
  toScenario({ relays: 1_000, messages: 144 }),
]

function toScenario(work: RelayMessages): Scenario {
  return {
    name: `deliveries: ${work.relays.toLocaleString('en')} ${work.relays === 1 ? 'relay' : 'relays'}`,
    load: 'delivery-load.ts',
    contenders: {
      [ours]: (options) => startPosrepDeliveries(work, options),
      [loop]: () => startPostLoop(work),
    },
  }
}
