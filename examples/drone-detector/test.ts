/** Runs the detector into the agent, as `npm start` does; and checks its lines with the agent's linter. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'drone-detector-'))
const agent = join(import.meta.dirname, 'node_modules/.bin/posrep-agent')
const lines = execFileSync(process.execPath, ['detector.ts'], {
  encoding: 'utf8',
  env: { ...process.env, DETECTIONS: '3', INTERVAL_MS: '10' },
})

writeFileSync(join(folder, 'lines.ndjson'), lines)
assert.equal(
  execFileSync(agent, ['lint', join(folder, 'lines.ndjson')], { encoding: 'utf8' }),
  '3 positions, 0 errors, 0 warnings\n',
)

const { status, stdout, stderr } = spawnSync(agent, ['run', '--stdin', '--json', '--status', 'off'], {
  input: lines,
  encoding: 'utf8',
  env: {
    ...process.env,
    POSREP_AGENT_INGEST: process.env.POSREP_ORIGIN ?? 'https://localhost:8443',
    POSREP_AGENT_SENSOR: 'roof1',
    POSREP_AGENT_CLIENT_ID: 'demo-fleet',
    POSREP_AGENT_CLIENT_SECRET: 'demo-fleet-secret',
    POSREP_AGENT_STATE_DIR: join(folder, 'state'),
  },
})
rmSync(folder, { recursive: true })
assert.equal(status, 0, stdout + stderr)
const ended: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
assert.partialDeepStrictEqual(ended, { event: 'ended', accepted: 3, refused: 0, unusable: 0 })
console.log('ok')
