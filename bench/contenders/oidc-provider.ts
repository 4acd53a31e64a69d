/** oidc-provider 9 in a separate process, see `oidc-provider-server.ts`. */
import { fileURLToPath } from 'node:url'
import type { TokenWork } from '../load/token-load.ts'
import type { Contender } from './contender.ts'
import { startProcess } from './start-process.ts'

const program = fileURLToPath(new URL('oidc-provider-server.ts', import.meta.url))

export async function startOidcProvider({ grant }: Pick<TokenWork, 'grant'>): Promise<Contender<TokenWork>> {
  const { ready, pid, stop } = await startProcess(program, [])
  // The format that oidc-provider-server.ts prints.
  const { origin, form } = ready as { origin: string; form: Record<string, string> }
  const url = `${origin}/token`
  return {
    async prepare(connections) {
      if (grant === 'client_credentials') return { url, grant, form, refreshTokens: [] }
      const answer = await fetch(`${origin}/first-refresh-tokens?count=${connections}`, { method: 'POST' })
      // The response of oidc-provider-server.ts.
      const refreshTokens = (await answer.json()) as string[]
      return { url, grant, form, refreshTokens }
    },
    pids: { server: pid },
    stop,
  }
}
