/** DNS rebinding: the server with default settings, in a network namespace with public addresses. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { testWith } from '../parts/requirements.ts'
import type { Seen } from './scene.ts'

const scene = fileURLToPath(new URL('scene.ts', import.meta.url))
const publicAddress = '93.184.216.34'
const privateAddress = '10.0.0.1'

/** Both addresses and the name server are on the loopback of a network namespace, so no packet leaves it. */
const prepared = `
  ip link set lo up
  ip address add ${publicAddress}/32 dev lo
  ip address add ${privateAddress}/32 dev lo
  mount --bind "$0" /etc/resolv.conf
  exec "$@"`

testWith('a network namespace', 'a relay whose name changes to a private address')(
  'the server does not connect to a relay whose name changes to a private address, until the name changes back',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'posrep-resolv-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const resolvConf = join(folder, 'resolv.conf')
    await writeFile(resolvConf, 'nameserver 127.0.0.1\n')
    // The namespace ends all processes of the scene.
    const apart = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
    const inside = [...apart, 'sh', '-euc', prepared, resolvConf]
    const command = [process.execPath, scene, publicAddress, privateAddress]
    const { stdout } = await promisify(execFile)('unshare', [...inside, ...command])

    const seen: Seen = JSON.parse(stdout)
    const reason = 'The host name of the relay address does not lead to a public address'
    expect(seen).toEqual({
      stateWhenSet: 'Active',
      taken: ['before', 'while'],
      reason,
      whenSetAgain: { state: 'Failed', failureDescription: reason },
      inside: 0,
    })
  },
)
