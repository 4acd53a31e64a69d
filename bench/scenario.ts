/** A scenario: the work and its contenders, which all get the same requests. */
import type { Contender } from './contenders/contender.ts'

export interface Scenario {
  name: string
  /** The program of `load/` that sends the requests. */
  load: string
  /** Whether to measure also at half of each contender's throughput, for response times without overload. */
  halfLoad?: true
  /** Number of positions per request. */
  positions?: number
  /**
   * The first contender is this server: ratios are its figure divided by another's. The type of the work depends on the
   * load program.
   */
  contenders: Contenders
  goals?: Goal[]
  /** Contenders that cannot run, with the reason. */
  leftOut?: string
}

export type Contenders = Record<string, (options: ContenderOptions) => Promise<Contender<unknown>>>

export interface ContenderOptions {
  /** Folder for CPU profiles of this server. */
  profileFolder: string | undefined
}

/** A goal of the project: the ratio of two contenders' figures. */
export interface Goal {
  of: string
  over: string
  figure: 'perSecond' | 'halfLoadP99Ms'
  /** The lower bound for `perSecond`, the upper bound for a delay. */
  bound: number
}
