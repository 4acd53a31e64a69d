/** This server with token requests. */
import type { TokenWork } from '../load/token-load.ts'
import type { Contender } from './contender.ts'
import { client, startPosrep } from './posrep.ts'
import type { StartOptions } from './start-process.ts'

export async function startPosrepTokens(
  { grant }: Pick<TokenWork, 'grant'>,
  options?: StartOptions,
): Promise<Contender<TokenWork>> {
  const { port, pid, tokensFor, stop } = await startPosrep([], options)
  const url = `http://127.0.0.1:${port}/oauth/v2/token`
  return {
    pids: { server: pid },
    async prepare(connections) {
      if (grant === 'client_credentials')
        return { url, grant, form: { ...client, device_id: 'roof1' }, refreshTokens: [] }
      const pairs = await Promise.all(Array.from({ length: connections }, () => tokensFor(1)))
      return { url, grant, form: client, refreshTokens: pairs.map(({ refreshToken }) => refreshToken) }
    },
    stop,
  }
}
