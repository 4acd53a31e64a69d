import { expect, test } from 'vitest'
import * as contract from '../src/contract.ts'
import * as door from '../src/index.ts'

test('the entry points export exactly these names', () => {
  expect(Object.keys(door).toSorted()).toEqual([
    'AgentError',
    'clientCredentials',
    'createAgent',
    'createSbsMapper',
    'fileTokenStore',
    'memorySpool',
    'memoryTokenStore',
    'pairing',
    'readLines',
    'replay',
    'systemClock',
    'systemFetch',
    'systemRandom',
  ])
  expect(Object.keys(contract)).toEqual(['spoolContract'])
})
