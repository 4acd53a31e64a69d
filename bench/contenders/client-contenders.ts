/** A client of the API in its own process, with an API of its own that answers at once and is not measured. */
import { fileURLToPath } from 'node:url'
import type { ClientWork } from '../load/client-load.ts'
import type { Contender } from './contender.ts'
import { type StartOptions, startProcess } from './start-process.ts'

const toPath = (program: string) => fileURLToPath(new URL(program, import.meta.url))

export async function startClient(
  client: 'sdk' | 'openapi-fetch',
  options?: StartOptions,
): Promise<Contender<ClientWork>> {
  const api = await startProcess(toPath('device-api-server.ts'), [])
  const args = ['--client', client, '--api', `http://127.0.0.1:${api.ready.port}`]
  const program = await startProcess(toPath('client-program.ts'), args, options)
  return {
    pids: { client: program.pid },
    prepare: async () => ({ control: `http://127.0.0.1:${program.ready.port}` }),
    async stop() {
      await program.stop()
      await api.stop()
    },
  }
}
