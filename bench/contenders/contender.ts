/** Who is measured: a server in a process of its own. */
import type { TokenWork } from '../load/token-load.ts'

export interface Contender {
  /** What the load generator is told, anew for each measurement. */
  prepare(connections: number): Promise<TokenWork>
  /** Of its process, for what it costs. */
  pid: number
  stop(): Promise<void>
}
