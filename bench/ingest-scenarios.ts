/** Reports to the ingest with one position or a hundred, compared with hand-written servers. */
import { startDurablePeerReports, startPeerReports } from './contenders/peer-reports.ts'
import { startPosrepOnRedis, startPosrepReports } from './contenders/posrep-reports.ts'
import { hasRedis } from './contenders/start-redis.ts'
import type { Contenders, Goal, Scenario } from './scenario.ts'

const ours = 'posrep, SQLite'
const withoutAir = 'posrep, SQLite, --air off'
const redis = 'posrep, Redis'
const redisTwice = 'posrep, Redis, 2 processes'
const bare = 'bare node:http'
const fastify = 'Fastify, SQLite'
const fastifyWorker = 'Fastify, SQLite in a worker'

const redisGoals: Goal[] = [
  { of: redis, over: ours, figure: 'perSecond', bound: 0.7 },
  // For machines where the load generator has its own core.
  { of: redisTwice, over: redis, figure: 'perSecond', bound: 1.6 },
]

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
      [withoutAir]: (options) => startPosrepReports({ positions, args: ['--air', 'off'], ...options }),
      'posrep, memory': () => startPosrepReports({ positions, args: ['--memory'] }),
      ...(hasRedis && toRedisContenders(positions)),
      [fastify]: () => startDurablePeerReports({ program: 'fastify-server.ts', positions }),
      [fastifyWorker]: () => startDurablePeerReports({ program: 'fastify-server.ts', args: ['--worker'], positions }),
      'Express, openapi-validator': () => startPeerReports({ program: 'express-server.ts', positions }),
      [bare]: () => startPeerReports({ program: 'bare-server.ts', positions }),
    },
    goals: toGoals(bounds),
    ...(!hasRedis && { leftOut: 'Redis: no redis-server on the PATH' }),
  }
}

function toRedisContenders(positions: number): Contenders {
  return {
    [redis]: (options) => startPosrepOnRedis({ positions, processes: 1, ...options }),
    [redisTwice]: () => startPosrepOnRedis({ positions, processes: 2 }),
  }
}

function toGoals(bounds: { fastify: number; bare: number }): Goal[] {
  return [
    { of: ours, over: withoutAir, figure: 'perSecond', bound: 0.95 },
    { of: ours, over: fastify, figure: 'perSecond', bound: bounds.fastify },
    { of: ours, over: fastifyWorker, figure: 'perSecond', bound: bounds.fastify },
    { of: ours, over: bare, figure: 'perSecond', bound: bounds.bare },
    { of: ours, over: bare, figure: 'halfLoadP99Ms', bound: 3 },
    ...(hasRedis ? redisGoals : []),
  ]
}
