/** Runs with every test file. */
import { afterAll } from 'vitest'
import { stopRedisServers } from './adapters/redis/redis-server.ts'

afterAll(stopRedisServers)
