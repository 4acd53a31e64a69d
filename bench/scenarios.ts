/** What is measured: the work, and who does it. Every contender of a scenario is sent the same requests. */
import type { Contender } from './contenders/contender.ts'
import { startOidcProvider } from './contenders/oidc-provider.ts'
import { startPosrep } from './contenders/posrep.ts'

export interface Scenario {
  name: string
  /** The first is ours: ratios are its figure over another's. */
  contenders: Record<string, () => Promise<Contender>>
}

export const tokenScenarios: Scenario[] = [
  {
    name: 'token: client_credentials',
    contenders: {
      'posrep, SQLite': () => startPosrep({ grant: 'client_credentials' }),
      'oidc-provider, memory': () => startOidcProvider({ grant: 'client_credentials' }),
    },
  },
  {
    name: 'token: refresh_token',
    contenders: {
      'posrep, SQLite': () => startPosrep({ grant: 'refresh_token' }),
      'oidc-provider, memory': () => startOidcProvider({ grant: 'refresh_token' }),
    },
  },
]
