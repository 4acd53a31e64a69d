/** Relay messages to a receiver, compared with the checks of other webhook libraries. */
import { startOctokit, startReceiver, startSvix } from './contenders/signed-messages.ts'
import type { Scenario } from './scenario.ts'

const ours = 'relay-receiver, Ed25519'
const svix = 'svix, HMAC'
const octokit = '@octokit/webhooks-methods, HMAC'

export const receiverScenarios: Scenario[] = [1, 100].map((positions) => ({
  name: `receiver: ${positions} ${positions === 1 ? 'position' : 'positions'} per report`,
  load: 'message-load.ts',
  positions,
  contenders: {
    [ours]: (options) => startReceiver(positions, options),
    [svix]: () => startSvix(positions),
    [octokit]: () => startOctokit(positions),
  },
  goals: [svix, octokit].map((over) => ({ of: ours, over, figure: 'perSecond', bound: 1 })),
}))
