import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { exchange, GivenUp, type RelayAnswer } from '../../src/relays/exchange.ts'
import { GivingUp } from '../../src/relays/giving-up.ts'

const post = { headers: {}, body: '{}' }

/** What undici does with a message is done by hand. */
function aConnection() {
  const handlers: Dispatcher.DispatchHandler[] = []
  const bodies: unknown[] = []
  const aborted: number[] = []
  const connection: Pick<Dispatcher, 'dispatch'> = {
    dispatch({ body }, handler) {
      bodies.push(body)
      const number = handlers.push(handler) - 1
      handler.onRequestStart?.(controllerOf(number), undefined)
      return true
    },
  }
  // Of all that a controller can do, an exchange only aborts.
  const controllerOf = (number: number) => ({ abort: () => aborted.push(number) }) as never
  const answer = (number: number, bytes: number) => {
    handlers[number]?.onResponseStart?.(controllerOf(number), 200, {})
    handlers[number]?.onResponseData?.(controllerOf(number), Buffer.alloc(bytes))
  }
  const fail = (number: number) => handlers[number]?.onResponseError?.(controllerOf(number), new Error('cut off'))
  const end = (number: number) => handlers[number]?.onResponseEnd?.(controllerOf(number), {})
  return { connection: connection as Dispatcher, bodies, aborted, answer, fail, end }
}

test('what becomes of a connection after its answer is of no concern to the message that follows', async () => {
  const { connection, aborted, answer, fail } = aConnection()
  const givingUp = new GivingUp()
  const first = exchange(connection, '/', post, { deadlineMs: 10_000, givingUp })
  answer(0, 65 * 1024)
  expect((await first).status).toBe(200)
  const second = exchange(connection, '/', post, { deadlineMs: 10_000, givingUp })
  fail(0)
  givingUp.giveUp()

  await expect(second).rejects.toBeInstanceOf(GivenUp)
  expect(aborted).toEqual([0, 1])
})

test('a message that has its answer is not given up any more, and the next one is not begun', async () => {
  const { connection, aborted, answer, end } = aConnection()
  const givingUp = new GivingUp()
  const first = exchange(connection, '/', post, { deadlineMs: 10_000, givingUp })
  answer(0, 2)
  end(0)
  expect((await first).body).toHaveLength(2)
  givingUp.giveUp()

  await expect(exchange(connection, '/', post, { deadlineMs: 10_000, givingUp })).rejects.toBeInstanceOf(GivenUp)
  expect(aborted).toEqual([])
})

test('what is next goes out in the step in which the answer is whole, and what comes of it is the end', async () => {
  const { connection, bodies, answer, end } = aConnection()
  const answered: number[] = []
  const next = ({ body }: RelayAnswer) => {
    answered.push(body.length)
    return answered.length < 3 ? { headers: {}, body: `${answered.length}` } : undefined
  }
  const last = exchange(connection, '/', { headers: {}, body: '0' }, { deadlineMs: 10_000, next })
  for (const number of [0, 1, 2]) {
    expect(bodies).toHaveLength(number + 1)
    answer(number, number + 1)
    end(number)
  }

  expect(bodies).toEqual(['0', '1', '2'])
  expect(answered).toEqual([1, 2, 3])
  expect((await last).body).toHaveLength(3)
})

test('what is next can be given up as well, and nothing follows it', async () => {
  const { connection, bodies, aborted, answer, end } = aConnection()
  const givingUp = new GivingUp()
  const last = exchange(connection, '/', post, { deadlineMs: 10_000, givingUp, next: () => post })
  answer(0, 2)
  end(0)
  givingUp.giveUp()

  await expect(last).rejects.toBeInstanceOf(GivenUp)
  expect(aborted).toEqual([1])
  expect(bodies).toHaveLength(2)
})

test('nothing follows an answer that is too long, since its connection is closed', async () => {
  const { connection, bodies, aborted, answer, end } = aConnection()
  const last = exchange(connection, '/', post, { deadlineMs: 10_000, next: () => post })
  answer(0, 65 * 1024)
  end(0)

  expect((await last).status).toBe(200)
  expect(aborted).toEqual([0])
  expect(bodies).toHaveLength(1)
})
