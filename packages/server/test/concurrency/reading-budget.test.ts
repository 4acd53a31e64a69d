import { describe, expect, test } from 'vitest'
import { createReadingBudget, type Reader, type ReadingBudgetOptions } from '../../src/concurrency/reading-budget.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'

const limits = { perAccount: 1, inAll: 2, waitingPerAccount: 2, waitingInAll: 3, untaken: 16_000 }
const refused = { code: 'unavailable', headers: { 'Retry-After': '2' } }

function aReader(accountId: string) {
  const state = { accountId, left: false, hasLeft: () => state.left, disconnect: () => void (state.left = true) }
  return state satisfies Reader
}

function aBudget(options: Partial<ReadingBudgetOptions> = {}) {
  const clock = createManualClock()
  const budget = createReadingBudget({
    sleep: clock.sleep,
    sizeOf: (item) => String(item).length,
    ...limits,
    ...options,
  })
  const started: string[] = []
  const ends: (() => void)[] = []
  return {
    clock,
    budget,
    started,
    /** A read that goes on until `endFirst`. */
    begin(accountId: string, reader = aReader(accountId)): Promise<void> {
      return budget.during(reader, () => {
        started.push(accountId)
        return new Promise<void>((end) => ends.push(end))
      })
    },
    async endFirst(): Promise<void> {
      await turn()
      ends.shift()?.()
      await turn()
    },
  }
}

/** Long enough for a read to start. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** An answer of portions of 1,000 characters each; the client takes one whenever `next` is called. */
function anAnswer({ budget }: ReturnType<typeof aBudget>, reader: Reader, portions = 100) {
  async function* make() {
    for (let n = 0; n < portions; n++) yield ['x'.repeat(1_000)]
    return {}
  }
  return budget.inPortions(reader, make())
}

describe('reads in progress', () => {
  test('a read waits while its account or all accounts use their share, and starts when a read ends', async () => {
    const { started, begin, endFirst } = aBudget()
    for (const account of ['a', 'a', 'b', 'c']) void begin(account)
    await endFirst()
    expect(started).toEqual(['a', 'b', 'a'])

    await endFirst()
    expect(started).toEqual(['a', 'b', 'a', 'c'])
  })

  test('accounts take turns: an account with many waiting reads delays another by one read', async () => {
    const { started, begin, endFirst } = aBudget({ inAll: 1, waitingPerAccount: 9, waitingInAll: 9 })
    for (const account of ['a', 'a', 'a', 'a', 'b', 'b']) void begin(account)
    for (let n = 0; n < 5; n++) await endFirst()

    expect(started).toEqual(['a', 'a', 'b', 'a', 'b', 'a'])
  })

  test('the more accounts read, the fewer reads an account may have, and there is one for a further account', async () => {
    const { started, begin } = aBudget({ perAccount: 3, inAll: 12, waitingPerAccount: 12, waitingInAll: 99 })
    for (const account of ['a', 'b', 'c', 'd']) for (let n = 0; n < 3; n++) void begin(account)
    await turn()
    const before = started.length
    void begin('e')
    await turn()

    expect(before).toBeLessThan(12)
    expect(started.at(-1)).toBe('e')
  })

  test('one that fills every turn and its queue is refused, and the read of another account is the next one', async () => {
    const { started, begin, endFirst } = aBudget({ inAll: 1, waitingPerAccount: 3, waitingInAll: 99 })
    for (let n = 0; n < 4; n++) void begin('hostile')
    await expect(begin('hostile')).rejects.toMatchObject(refused)
    void begin('good')
    await endFirst()
    await endFirst()

    expect(started).toEqual(['hostile', 'hostile', 'good'])
  })

  test('of many accounts that fill the queue leave room for the first read of another one', async () => {
    const { begin } = aBudget({ inAll: 1, waitingPerAccount: 12, waitingInAll: 100 })
    const refusals = Array.from({ length: 12 }, (_, account) =>
      Array.from({ length: 12 }, () => begin(`hostile${account}`).catch(() => 'refused')),
    )
    const good = begin('good').catch(() => 'refused')
    await turn()

    expect(await Promise.race([good, turn()])).toBe(undefined)
    expect(await Promise.race([refusals[11]?.at(-1), turn()])).toBe('refused')
  })

  test('a read that has waited for 5 s is refused, and one that has started is not', async () => {
    const { begin, started, endFirst, clock } = aBudget()
    const [first, second] = [begin('a'), begin('a')]
    await turn()
    const refusal = expect(second).rejects.toMatchObject(refused)
    await clock.advance(5_000)
    await refusal

    await endFirst()
    expect([await first, started]).toEqual([undefined, ['a']])
  })

  test('a client that has left leaves the queue', async () => {
    const { begin, started, endFirst } = aBudget()
    const reader = aReader('a')
    const [, waiting] = [begin('a'), begin('a', reader), begin('a')]
    const refusal = expect(waiting).rejects.toMatchObject(refused)
    await turn()
    reader.left = true
    const [third] = [begin('a')]
    await refusal
    await endFirst()
    await endFirst()
    await endFirst()
    await third

    expect(started).toEqual(['a', 'a', 'a'])
  })
})

describe('portions', () => {
  test('that clients do not take keep no other account waiting, however many accounts do so', async () => {
    const scene = aBudget({ untaken: 2_500 })
    const slow = ['a', 'b', 'c', 'd'].map((account) => anAnswer(scene, aReader(account)))
    for (const answer of slow) await answer.next()

    expect(await anAnswer(scene, aReader('e'), 1).next()).toMatchObject({ done: false })
  })

  test('of one account wait for its own clients when these leave too many untaken, and go on when one was taken', async () => {
    const scene = aBudget({ untaken: 4_000 })
    const answers = Array.from({ length: 3 }, () => anAnswer(scene, aReader('a')))
    const made: number[] = []
    const firsts = answers.map((answer, n) => answer.next().then(() => made.push(n)))
    await turn()
    await turn()
    expect(made).toEqual([0, 1])

    void answers[0]?.return({})
    await turn()
    expect(made).toEqual([0, 1, 2])
    await Promise.all([answers[1]?.return({}), firsts[2]])
  })

  test('in too large a number end the answers of those clients that take nothing for the longest time', async () => {
    const scene = aBudget({ untaken: 2_500 })
    const readers = ['a', 'b', 'c', 'd'].map(aReader)
    const answers = readers.map((reader) => anAnswer(scene, reader))
    for (const answer of answers.slice(0, 2)) await answer.next()
    await answers[0]?.next()
    for (const answer of answers.slice(2)) await answer.next()

    expect(readers.map(({ left }) => left)).toEqual([true, true, false, false])
    expect([await answers[2]?.next(), await answers[3]?.next()]).toMatchObject([{ done: false }, { done: false }])
  })

  test('of an answer that has begun are waited for longer than 5 s', async () => {
    const scene = aBudget()
    const answer = anAnswer(scene, aReader('a'))
    await answer.next()
    void scene.begin('a')
    await turn()
    const second = answer.next()
    await turn()
    await scene.clock.advance(60_000)
    await scene.endFirst()

    expect(await second).toMatchObject({ done: false })
  })

  test('give the event loop back before each one', async () => {
    const answer = anAnswer(aBudget(), aReader('a'))
    let turns = 0
    const count = () => {
      turns++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    for (let n = 0; n < 50; n++) await answer.next()
    clearImmediate(counting)

    expect(turns).toBeGreaterThanOrEqual(50)
  })
})
