/** Tokens from the token endpoint, compared with oidc-provider. */
import { startOidcProvider } from './contenders/oidc-provider.ts'
import { startPosrepTokens } from './contenders/posrep-tokens.ts'
import type { Scenario } from './scenario.ts'

export const tokenScenarios: Scenario[] = (['client_credentials', 'refresh_token'] as const).map((grant) => ({
  name: `token: ${grant}`,
  load: 'token-load.ts',
  contenders: {
    'posrep, SQLite': (options) => startPosrepTokens({ grant }, options),
    'oidc-provider, memory': () => startOidcProvider({ grant }),
  },
}))
