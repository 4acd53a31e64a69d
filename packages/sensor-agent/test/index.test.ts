import { expect, test } from 'vitest'
import * as contract from '../src/contract.ts'
import * as fileSpool from '../src/file-spool.ts'
import * as door from '../src/index.ts'
import * as network from '../src/network.ts'
import * as sources from '../src/sources.ts'

test('the entry points export exactly these names', () => {
  expect(Object.keys(door).toSorted()).toEqual([
    'AgentError',
    'clientCredentials',
    'createAgent',
    'fileTokenStore',
    'memorySpool',
    'memoryTokenStore',
    'pairing',
    'systemClock',
    'systemFetch',
    'systemRandom',
  ])
  expect(Object.keys(sources).toSorted()).toEqual([
    'aircraftJsonSource',
    'createAircraftJsonMapper',
    'createRemoteIdMapper',
    'createSbsMapper',
    'defineSource',
    'httpSource',
    'jsonLinesSource',
    'readLines',
    'remoteIdSource',
    'replay',
    'replaySource',
    'runSource',
    'sbsSource',
    'simulatorSource',
    'udpSource',
    'unusableReasons',
    'withAgentTime',
  ])
  expect(Object.keys(contract)).toEqual(['spoolContract'])
  expect(Object.keys(fileSpool).toSorted()).toEqual(['fileSpool', 'refusedFile'])
  expect(Object.keys(network)).toEqual(['createNetwork'])
})
