/**
 * `pnpm examples [name…]`: runs the examples in both ways that examples/README.md gives to a stranger.
 * Packs our packages, copies the examples to a temporary folder, and installs them there with the tarballs in place of
 * our packages. Runs `npm test` in each copy, and in each folder of the clone, beside a demo of its own.
 * In: the built packages; names of examples, default all. Out: a line per example and way, the output of failed ones,
 * and a last line "N passed, N failed".
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../e2e/pages/find-chromium.ts'
import { aServerLocation, launchServer } from '../e2e/parts/server-process.ts'
import { installExamples } from './examples/install.ts'
import { missingPart } from './examples/parts.ts'
import { runTest } from './examples/run-test.ts'

const all = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'package.json')))
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !all.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`There is no example "${unknown}"; there are ${all.join(', ')}\n`)
  process.exit(2)
}
const names = asked.length > 0 ? asked : all
const isRequired = process.env.TEST_REQUIRE_ALL === '1'
const folder = mkdtempSync(join(tmpdir(), 'posrep-examples-'))

let passed = 0
let failed = 0
try {
  const { posrepServer } = installExamples(process.cwd(), names, folder)
  for (const name of names) {
    await run(name, 'copy', { example: join(folder, 'examples', name), posrepServer })
    await run(name, 'clone', { example: join(process.cwd(), 'examples', name) })
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

interface Place {
  example: string
  /** Default: that of the clone. */
  posrepServer?: string
}

async function run(name: string, way: 'copy' | 'clone', place: Place): Promise<void> {
  const missing = missingPart(join('examples', name))
  if (missing !== undefined && !isRequired) {
    process.stdout.write(`skip ${name}: ${missing} is not installed\n`)
    return
  }
  const startedAt = performance.now()
  const { isOk, output } = await testBesideDemo(place)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${isOk ? 'ok  ' : 'FAIL'} ${name}, ${way} (${seconds} s)\n`)
  if (isOk) passed++
  else {
    failed++
    process.stdout.write(`${output}\n`)
  }
}

async function testBesideDemo({ example, posrepServer }: Place): Promise<{ isOk: boolean; output: string }> {
  const location = await aServerLocation()
  const program = posrepServer === undefined ? {} : { program: posrepServer }
  const server = await launchServer(location, { flags: ['--demo'], ...program }).ready
  try {
    const { origin, caFile } = server.ready
    const chromium = findChromium()
    return await runTest(example, {
      POSREP_ORIGIN: origin,
      NODE_EXTRA_CA_CERTS: caFile,
      ...(chromium && { CHROMIUM: chromium }),
    })
  } finally {
    await server.stop()
    await location.remove()
  }
}
