/**
 * The memory for answers that were made and that their clients have not taken yet. Lists that are made in portions have
 * a limit of their own (`concurrency/reading-budget.ts`); files cost nothing, because all answers share their bytes.
 * In: the size of an answer, and who takes it. Out: its share until it is released, or nothing when there is too much
 * already.
 */
import { createSlots, type Slots } from '../concurrency/slots.ts'
import { type Sharer, sharesOf } from './shares.ts'

/** Smaller answers are neither counted nor refused, because the number of connections is limited. */
export const countedFromBytes = 64 * 1024

export interface AnswerMemory {
  maxBytes: number
  inUse: Slots
  /** One answer of each account that found no room. */
  beyond: Slots
}

export function createAnswerMemory(maxBytes: number): AnswerMemory {
  return { maxBytes, inUse: createSlots(), beyond: createSlots() }
}

/** It is outside of the heap. */
export const answerMemoryOfProcess = createAnswerMemory(64 * 1024 * 1024)

/**
 * An account may always have one answer, so that many others together cannot keep it from reading.
 * @returns A function that gives the memory back; undefined when there is none.
 */
export function holdAnswer(
  { maxBytes, inUse, beyond }: AnswerMemory,
  taker: Sharer,
  bytes: number,
): (() => void) | undefined {
  const acquired = inUse.acquire(sharesOf(maxBytes, taker), bytes)
  if (acquired.kind === 'slots') return acquired.release
  if (taker.account === undefined) return undefined
  const single = beyond.acquire({ [taker.account]: 1 })
  return single.kind === 'slots' ? single.release : undefined
}
