/** A folder of the test's own, removed at its end. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export async function aTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-agent-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
