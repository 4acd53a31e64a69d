/** Reports to the ingest, one position or a hundred in each, beside what one would write by hand. */
import { startDurablePeerReports, startPeerReports } from './contenders/peer-reports.ts'
import { startPosrepReports } from './contenders/posrep-reports.ts'
import type { Goal, Scenario } from './scenarios.ts'

const ours = 'posrep, SQLite'
const bare = 'bare node:http'
const fastify = 'Fastify, SQLite'

export const ingestScenarios: Scenario[] = [
  toScenario(1, { fastify: 0.8, bare: 0.3 }),
  toScenario(100, { fastify: 1, bare: 0.6 }),
]

function toScenario(positions: number, bounds: { fastify: number; bare: number }): Scenario {
  return {
    name: `ingest: ${positions} ${positions === 1 ? 'position' : 'positions'} per report`,
    load: 'report-load.ts',
    halfLoad: true,
    positions,
    contenders: {
      [ours]: (options) => startPosrepReports({ positions, ...options }),
      'posrep, memory': () => startPosrepReports({ positions, args: ['--memory'] }),
      [fastify]: () => startDurablePeerReports({ program: 'fastify-server.ts', positions }),
      [bare]: () => startPeerReports({ program: 'bare-server.ts', positions }),
    },
    goals: toGoals(bounds),
  }
}

function toGoals(bounds: { fastify: number; bare: number }): Goal[] {
  return [
    { of: ours, over: fastify, figure: 'perSecond', bound: bounds.fastify },
    { of: ours, over: bare, figure: 'perSecond', bound: bounds.bare },
    { of: ours, over: bare, figure: 'halfLoadP99Ms', bound: 3 },
  ]
}
