/** oidc-provider 9 in its process, see `oidc-provider-server.ts`. */
import { fileURLToPath } from 'node:url'
import type { TokenWork } from '../load/token-load.ts'
import type { Contender } from './contender.ts'
import { startProcess } from './start-process.ts'

const program = fileURLToPath(new URL('oidc-provider-server.ts', import.meta.url))

export async function startOidcProvider({ grant }: Pick<TokenWork, 'grant'>): Promise<Contender<TokenWork>> {
  const { ready, pid, stop } = await startProcess(program, [])
  // As our program beside this one prints it.
  const { origin, form } = ready as { origin: string; form: Record<string, string> }
  const url = `${origin}/token`
  return {
    async prepare(connections) {
      if (grant === 'client_credentials') return { url, grant, form, refreshTokens: [] }
      const answer = await fetch(`${origin}/first-refresh-tokens?count=${connections}`, { method: 'POST' })
      // What our program beside this one sends.
      const refreshTokens = (await answer.json()) as string[]
      return { url, grant, form, refreshTokens }
    },
    pids: { server: pid },
    stop,
  }
}
