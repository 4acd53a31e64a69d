/** A cluster that only speaks TLS, for a user with no more rights than docs/operating.md names. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { describe, expect, onTestFinished } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { openStorage } from '../../../../src/composition/storage/storage.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'
import { resolveSettings } from '../../../../src/settings/resolve-settings.ts'
import { aRedisCluster } from '../redis-cluster.ts'
import { type CertificateFiles, testWithRedisServer } from '../redis-server.ts'

const clock = createManualClock()
const operating = join(import.meta.dirname, '../../../../../../docs/operating.md')

describe('rediss:// of a cluster', () => {
  testWithRedisServer(
    'a user with the documented rights stores, announces, appends and waits for replicas',
    async () => {
      const [, rights = ''] = /^ACL SETUSER posrep on >PASSWORD (.*)$/m.exec(await readFile(operating, 'utf8')) ?? []
      const files = await aCertificate()
      const cluster = await aRedisCluster({ withReplicas: true, tls: files })
      for (const { command } of [...cluster.primaries, ...cluster.replicas]) {
        await command('ACL', 'SETUSER', 'app', 'on', '>hush-hush', ...rights.split(' '))
      }
      const open = (user: string) => {
        const flags = { redis: cluster.url.replace('://', `://${user}@`), 'redis-replicas': '1' }
        return openStorage({
          settings: resolveSettings({ flags, environment: {} }),
          clock,
          role: 'server',
          redisAnswerMs: hangsAfterMs,
        })
      }
      const storage = await open('app:hush-hush')

      await storage.store.put('session', 'kept', 60_000)
      await storage.revocationFeed.announce({ subject: 'user:pilot', atMs: 1 }, 60_000)
      await storage.reportLog.append(['a', 'b', 'c', 'd'].map((queue) => ({ queue, body: '{}' })))

      expect(await storage.store.get('session')).toBe('kept')
      expect((await storage.revocationFeed.read('')).revocations).toHaveLength(1)
      expect(await storage.reportLog.lease({ queues: 10, entries: 1, leaseMs: 1_000 })).toHaveLength(4)
      expect(await storage.relayChanges?.announce('a')).toBeUndefined()
      await storage.close()
      await expect(open('app:wrong-word')).rejects.toThrow(/cannot be used: WRONGPASS/)
      await expect(open('app:wrong-word')).rejects.not.toThrow('wrong-word')
    },
  )
})

/** For 127.0.0.1; this process trusts it. */
async function aCertificate(): Promise<CertificateFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-tls-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2']
  const names = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1']
  const { status, stderr } = spawnSync('openssl', ['req', ...kind, ...names, '-keyout', keyFile, '-out', certFile])
  if (status !== 0) throw new Error(String(stderr))
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), await readFile(certFile, 'utf8')])
  return { certFile, keyFile }
}
