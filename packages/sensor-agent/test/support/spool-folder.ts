/** Folders of file spools: as a killed process leaves them, damaged, cut. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Spool } from '../../src/spool/spool.ts'
import { aTempFolder } from './temp-folder.ts'

/** A copy of the folder as it is now, with the lock of a process that no longer runs. */
export async function asAfterAKill(folder: string): Promise<string> {
  const copy = join(await aTempFolder(), 'spool')
  await cp(folder, copy, { recursive: true })
  const lock = join(copy, 'lock')
  await writeFile(lock, JSON.stringify({ ...JSON.parse(await readFile(lock, 'utf8')), pid: 2 ** 30 }))
  return copy
}

export async function segmentFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.spool'))
  return names.toSorted().map((name) => join(folder, name))
}

/** Replaces a part of the only segment. */
export async function damage(folder: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  const [file = ''] = await segmentFiles(folder)
  await writeFile(file, change(await readFile(file)))
}

/** Reads and removes everything, as a courier does. */
export async function drain(spool: Spool): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const batch = await spool.peek(100, 1_000_000)
    const [first] = batch
    const last = batch.at(-1)
    if (!first || !last) return texts
    texts.push(...batch.map(({ json }) => json))
    await spool.remove(first.sequence, last.sequence)
  }
}

/** JSON of positions with the ids from `first` to `last`. */
export function texts(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => JSON.stringify({ id: String(first + at) }))
}
