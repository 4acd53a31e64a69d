/**
 * `pnpm build:sea`: posrep-agent as a single executable, for machines without Node.
 * In: the sources. Out: packages/sensor-agent/dist-sea/posrep-agent for the system that runs this script, and
 * LICENSES.txt, which goes with it. It is the Node that runs this script, with the command in it as one CommonJS file;
 * see docs/sensor-agent-command.md.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '../packages/sensor-agent')
const out = join(folder, 'dist-sea')
const executable = join(out, process.platform === 'win32' ? 'posrep-agent.exe' : 'posrep-agent')
// As in the systemd unit, see packages/sensor-agent/src/bin/commands/install-service.ts.
const flags = ['--max-semi-space-size=1', '--v8-pool-size=1']
const resolve = createRequire(import.meta.url).resolve
// Of Node's documentation: the text that marks a binary with a program in it.
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

run(join(import.meta.dirname, '../node_modules/.bin/tsup'), ['--config', 'tsup.sea.config.ts'])
const config = join(out, 'sea-config.json')
const blob = join(out, 'posrep-agent.blob')
const main = join(out, 'posrep-agent.cjs')
writeFileSync(
  config,
  JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true, execArgv: flags }),
)
// With the same flags, because V8 rejects a code cache that was made with others.
run(process.execPath, [...flags, '--experimental-sea-config', config])
copyFileSync(process.execPath, executable)
chmodSync(executable, 0o755)
if (process.platform === 'darwin') run('codesign', ['--remove-signature', executable])
const postject = resolve('postject/dist/cli.js')
const segment = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
run(process.execPath, [postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment])
if (process.platform === 'darwin') run('codesign', ['--sign', '-', executable])
writeFileSync(join(out, 'LICENSES.txt'), licences())
process.stdout.write(`${executable}: ${Math.round(statSync(executable).size / 1_048_576)} MiB\n`)

function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}\n`)
  process.exit(1)
}

/** The licences of what the bundle contains. Node's is in its own distribution. */
function licences(): string {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const names = Object.keys(dependencies).filter((name) => !name.startsWith('@posrep/'))
  const texts = names.map((name) => {
    const [file] = globSync('LICEN[CS]E*', { cwd: dirname(packageFile(name)) })
    return `${name}\n\n${file === undefined ? 'see its package' : readFileSync(join(dirname(packageFile(name)), file), 'utf8')}`
  })
  return [
    readFileSync(join(folder, 'LICENSE'), 'utf8'),
    'Node.js: https://github.com/nodejs/node/blob/main/LICENSE',
    ...texts,
  ].join(`\n${'-'.repeat(80)}\n\n`)
}

function packageFile(name: string): string {
  return join(folder, 'node_modules', name, 'package.json')
}
