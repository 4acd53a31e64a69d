/** A program of `contenders/` that accepts reports, in a separate process. */
import { fileURLToPath } from 'node:url'
import type { ReportWork } from '../load/report-load.ts'
import type { Device } from '../load/report-request.ts'
import type { Contender } from './contender.ts'
import { createDeviceTokens } from './device-tokens.ts'
import { startProcess } from './start-process.ts'

export interface PeerReportsOptions {
  /** File name of the program in this folder. */
  program: string
  /** Arguments of the program. */
  args?: string[]
  positions: number
}

export async function startPeerReports({
  program,
  args = [],
  positions,
}: PeerReportsOptions): Promise<Contender<ReportWork>> {
  const { ready, pid, stop } = await startProcess(fileURLToPath(new URL(program, import.meta.url)), args)
  // The format that the programs print. Programs that check no token also get tokens.
  const { port, devices = createDeviceTokens(50).devices } = ready as { port: number; devices?: Device[] }
  const work = { ports: [port], devices, positions }
  return { pids: { server: pid }, prepare: async () => work, stop }
}

/** A program that stores reports in a table, which is emptied before each measurement, like the server's log. */
export async function startDurablePeerReports(options: PeerReportsOptions): Promise<Contender<ReportWork>> {
  const peer = await startPeerReports(options)
  const { ports } = await peer.prepare(0)
  const reports = `http://127.0.0.1:${ports[0]}/reports`
  return {
    ...peer,
    async prepare(connections) {
      await fetch(reports, { method: 'DELETE' })
      return peer.prepare(connections)
    },
    async countAccepted() {
      // The response of the programs.
      const { count } = (await (await fetch(reports)).json()) as { count: number }
      return count
    },
  }
}
