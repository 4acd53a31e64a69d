/** The certificate that a server makes for itself, in a folder that is removed after the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type DevelopmentCertificate, developmentCertificate } from '../../../src/adapters/development-certificate.ts'
import type { Clock } from '../../../src/ports/clock.ts'

export async function aDevelopmentCertificate(clock: Clock): Promise<DevelopmentCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-certificate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return developmentCertificate({ folder, names: ['localhost'], clock })
}
