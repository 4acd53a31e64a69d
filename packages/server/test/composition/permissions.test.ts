/** Who can open the files of a server, whatever the modes of its folder and the umask are. */
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/adapters/system-clock.ts'
import { startServer } from '../../src/composition/server.ts'
import type { Logger } from '../../src/ports/logger.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { silentLogger } from '../a-server.ts'

async function aFolder(mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-modes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await chmod(folder, mode)
  return folder
}

/** Starts a server on the folder, and returns its warnings. */
async function startOn(dataDir: string): Promise<string[]> {
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (_fields, message) => void warnings.push(message) }
  const settings = resolveSettings({ flags: { 'data-dir': dataDir, port: '0', air: 'off' }, environment: {} })
  const server = await startServer({ settings, clock: createSystemClock(), logger, version: '1.2.3' })
  await server.stop()
  return warnings
}

const modeOf = async (folder: string, file: string) => ((await stat(join(folder, file))).mode & 0o777).toString(8)

test('the lock file and the database are for their owner, and certificates for everybody, in a folder that is open to all', async () => {
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  const folder = await aFolder(0o777)
  await writeFile(join(folder, 'posrep.sqlite.lock'), '', { mode: 0o666 })
  await startOn(folder)

  expect(await modeOf(folder, 'posrep.sqlite.lock')).toBe('600')
  expect(await modeOf(folder, 'posrep.sqlite')).toBe('600')
  for (const name of ['development-ca', 'development-tls']) {
    expect([await modeOf(folder, `${name}.pem`), await modeOf(folder, `${name}-key.pem`)]).toEqual(['644', '600'])
  }
})

test('certificates are for everybody with the strictest umask, too', async () => {
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  const folder = await aFolder(0o700)
  await startOn(folder)

  expect(await modeOf(folder, 'development-ca.pem')).toBe('644')
})

test('a server says when others can open its data folder, and nothing when they cannot', async () => {
  const open = await aFolder(0o755)
  expect(await startOn(open)).toEqual([expect.stringContaining(`chmod 700 ${open}`)])
  expect(await startOn(await aFolder(0o700))).toEqual([])
})
