/** A way to send positions; the server that takes them is the same for all. */
import { fileURLToPath } from 'node:url'
import type { AgentWork } from '../load/agent-load.ts'
import type { Contender } from './contender.ts'
import { startProcess } from './start-process.ts'

const server = fileURLToPath(new URL('bare-server.ts', import.meta.url))

export async function startAgentSender(sending: Omit<AgentWork, 'port'>): Promise<Contender<AgentWork>> {
  const { ready, pid, stop } = await startProcess(server, [])
  // The format that the program prints.
  const { port } = ready as { port: number }
  return { pids: { server: pid }, prepare: async () => ({ ...sending, port }), stop }
}
