/** What is measured: the work, and who does it. Every contender of a scenario is sent the same requests. */
import type { Contender } from './contenders/contender.ts'

export interface Scenario {
  name: string
  /** Of `load/`, the program that sends the requests. */
  load: string
  /** Also measured at half of what each contender takes, for how long answers take when there is room. */
  halfLoad?: true
  /** Positions in each request. */
  positions?: number
  /** The first is ours: ratios are its figure over another's. What the work is, is between a contender and the load program. */
  contenders: Contenders
  goals?: Goal[]
  /** Who could not take part, and why. */
  leftOut?: string
}

export type Contenders = Record<string, (options: ContenderOptions) => Promise<Contender<unknown>>>

export interface ContenderOptions {
  /** Where ours leaves CPU profiles. */
  profileFolder: string | undefined
}

/** What the project wants of itself: the ratio of two contenders' figures. */
export interface Goal {
  of: string
  over: string
  figure: 'perSecond' | 'halfLoadP99Ms'
  /** Of `perSecond` the least that is wanted, of a delay the most. */
  bound: number
}
