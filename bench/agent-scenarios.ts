/** The sensor agent: from a source to the 202, compared with a hand-written loop, and report() alone. */
import { startAgentSender } from './contenders/agent-sender.ts'
import type { Scenario } from './scenario.ts'

const positions = 100
const memory = 'agent, memory spool'
const file = 'agent, file spool'
const loop = 'fetch loop'

export const agentScenarios: Scenario[] = [
  {
    name: 'agent: source to 202',
    load: 'agent-load.ts',
    positions,
    contenders: {
      [memory]: () => startAgentSender({ sender: 'agent', spool: 'memory', positions }),
      [file]: () => startAgentSender({ sender: 'agent', spool: 'file', positions }),
      'agent, file spool, memory-first': () => startAgentSender({ sender: 'agent', spool: 'memory-first', positions }),
      [loop]: () => startAgentSender({ sender: 'fetch loop', spool: 'memory', positions }),
    },
    goals: [
      { of: memory, over: loop, figure: 'perSecond', bound: 0.8 },
      { of: file, over: loop, figure: 'perSecond', bound: 0.8 },
    ],
  },
  {
    name: 'agent: report()',
    load: 'agent-load.ts',
    positions,
    contenders: {
      'memory spool': () => startAgentSender({ sender: 'report()', spool: 'memory', positions }),
      'file spool': () => startAgentSender({ sender: 'report()', spool: 'file', positions }),
      'file spool, memory-first': () => startAgentSender({ sender: 'report()', spool: 'memory-first', positions }),
    },
  },
]
