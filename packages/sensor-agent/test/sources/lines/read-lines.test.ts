import { expect, test } from 'vitest'
import { readLines } from '../../../src/sources/lines/read-lines.ts'

test('lines are complete for every size of the chunks', async () => {
  const bytes = Buffer.from('ä first\r\nsecond 🛰\n\nlast')
  for (let size = 1; size <= bytes.length; size += 1) {
    expect(await all(readLines(cut(bytes, size)))).toEqual(['ä first', 'second 🛰', '', 'last'])
  }
})

test('an empty stream has no line, and no line follows the final line end', async () => {
  expect(await all(readLines(cut(Buffer.from(''), 1)))).toEqual([])
  expect(await all(readLines(cut(Buffer.from('one\n'), 2)))).toEqual(['one'])
})

test('of a stream that may be cut, a last line without its end is no line, and is told', async () => {
  const rests: string[] = []
  const onCut = (rest: string) => void rests.push(rest)
  expect(await all(readLines(cut('one\ntw', 2), { onCut }))).toEqual(['one'])
  expect(await all(readLines(cut('one\ntwo\n', 2), { onCut }))).toEqual(['one', 'two'])
  expect(rests).toEqual(['tw'])
})

test('a byte order mark is no part of the first line', async () => {
  for (const text of ['\ufeffone\ntwo\n', '\ufeffone\ntwo']) {
    expect(await all(readLines(cut(text, 3)))).toEqual(['one', 'two'])
    expect(await all(readLines(cut(Buffer.from(text), 1)))).toEqual(['one', 'two'])
  }
  expect(await all(readLines(cut('\ufeffone', 100)))).toEqual(['one'])
})

test('chunks may be strings', async () => {
  expect(await all(readLines(cut('a\nb', 1)))).toEqual(['a', 'b'])
})

test('a line longer than the limit is truncated', async () => {
  const chunk = Buffer.alloc(65_536, 'x')
  async function* endless() {
    for (let at = 0; at < 64; at += 1) yield chunk
    yield Buffer.from('\nnext\n')
  }

  const lines = await all(readLines(endless()))

  expect(lines.map((line) => line.length)).toEqual([1_048_576, 4])
})

async function* cut<T extends Buffer | string>(whole: T, size: number) {
  for (let at = 0; at < whole.length; at += size) yield whole.slice(at, at + size)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}
