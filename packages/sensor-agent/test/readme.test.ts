import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import * as agent from '../src/index.ts'
import { accepted, aNetwork } from './support/network.ts'

test('the README example reports one position', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, block = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const network = aNetwork(({ url }) =>
    url.endsWith('/token') ? Response.json({ access_token: 'a', token_type: 'bearer', expires_in: 60 }) : accepted(),
  )
  const said: string[] = []

  // The example's import is replaced by the package with a fake fetch.
  const [, names = ''] = /import \{(.*)\} from '@posrep\/sensor-agent'/.exec(block) ?? []
  const body = stripTypeScriptTypes(block.replace(/^import .*$/m, `const {${names}} = posrep`))
  const run = new AsyncFunction('posrep', 'console', body)
  const withNetwork = {
    ...agent,
    createAgent: (options: agent.AgentOptions) => agent.createAgent({ ...options, fetch: network.fetch }),
    clientCredentials: (options: agent.ClientCredentialsOptions) =>
      agent.clientCredentials({ ...options, fetch: network.fetch }),
  }
  await run(withNetwork, { log: (line: string) => said.push(line), error: (line: string) => said.push(line) })

  expect(network.reports()).toEqual([['461f9c-1']])
  expect(said).toEqual(['1 accepted'])
})

// The constructor of async functions is not a global.
const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
