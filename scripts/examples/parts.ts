/**
 * The parts of a machine that an example needs.
 * In: the example's folder; its package.json may list parts in `posrep.needs`. Out: the first part that is missing.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from '../../e2e/pages/find-chromium.ts'

const parts: Record<string, () => boolean> = {
  chromium: () => findChromium() !== undefined,
  'redis-server': () => spawnSync('redis-server', ['--version']).status === 0,
}

interface Manifest {
  posrep?: { needs?: string[] }
}

export function missingPart(example: string): string | undefined {
  const { posrep }: Manifest = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
  return posrep?.needs?.find((name) => {
    const isPresent = parts[name]
    if (!isPresent)
      throw new Error(`${example}/package.json needs "${name}"; known are ${Object.keys(parts).join(', ')}`)
    return !isPresent()
  })
}
