import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replaceFile } from '../src/replace-file.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replace-'))
  file = join(folder, 'state.json')
})
afterEach(() => rm(folder, { recursive: true }))

describe('a file that is replaced', () => {
  test('is read whole by others while it is written', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
    await replaceFile(file, texts[0] ?? '')
    let isWritten = false
    const writing = (async () => {
      for (let n = 0; n < 20; n++) await replaceFile(file, texts[n % 2] ?? '')
      isWritten = true
    })()

    const read = new Set<string>()
    while (!isWritten) read.add(await readFile(file, 'utf8'))
    await writing

    expect([...read].filter((text) => !texts.includes(text))).toEqual([])
  })

  test('has the text of one of several writers at once', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(10_000))

    await Promise.all(texts.map((text) => replaceFile(file, text)))

    expect(texts).toContain(await readFile(file, 'utf8'))
    expect(await readdir(folder)).toEqual(['state.json'])
  })

  test('can be read by its owner only, unless the caller says otherwise', async () => {
    await replaceFile(file, 'secret')
    await replaceFile(`${file}.public`, 'certificate', { mode: 0o644 })

    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(`${file}.public`)).mode & 0o777).toBe(0o644)
  })

  test('replaces a link, and leaves what it led to', async () => {
    const other = join(folder, 'other')
    await writeFile(other, 'old')
    await symlink(other, file)

    await replaceFile(file, 'new')

    expect([await readFile(other, 'utf8'), await readFile(file, 'utf8')]).toEqual(['old', 'new'])
  })

  test('stays as it was when it cannot be replaced, with nothing beside it', async () => {
    const taken = join(folder, 'a-folder')
    await replaceFile(file, 'old')
    await writeFile(join(folder, 'x'), '')

    await expect(replaceFile(join(taken, 'state.json'), 'new')).rejects.toThrow('ENOENT')
    await expect(replaceFile(folder, 'new')).rejects.toThrow()

    expect((await readdir(folder)).sort()).toEqual(['state.json', 'x'])
    expect(await readFile(file, 'utf8')).toBe('old')
  })
})
