/** `posrep-agent doctor`: checks everything between the source and the service, and says what to do. */
import { access } from 'node:fs/promises'
import type { CommandDefinition } from '../command.ts'
import { connect } from '../connect/service.ts'
import type { Check } from '../doctor/check.ts'
import { checkNetwork } from '../doctor/network-checks.ts'
import { checkService } from '../doctor/service-checks.ts'
import { checkSources } from '../doctor/source-checks.ts'
import { checkStorage } from '../doctor/storage-checks.ts'
import { exitCodes } from '../exit-codes.ts'
import { optionsOf } from '../settings/options.ts'
import { readSources } from '../settings/sources.ts'

const marks = { ok: 'ok', warning: 'WARNING', failed: 'FAILED', skipped: 'skipped' } as const

export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  description: 'checks DNS, TLS, clock, token, spool and source, sends an empty report, and says what to do',
  options: optionsOf.doctor,
  async run({ settings, output }) {
    const service = connect(settings)
    const sources = readSources(settings)
    const network = await checkNetwork(service)
    const isReachable = network.every(({ result }) => result !== 'failed')
    const isPaired = service.pairing === undefined || (await exists(service.state.identity))
    const checks: Check[] = [
      ...network,
      ...(isReachable ? await checkService(service, isPaired) : []),
      ...(await checkStorage(service.state)),
      ...(await checkSources(sources)),
    ]
    output.result(checks.map(toText).join('\n'), { checks })
    return checks.some(({ result }) => result === 'failed') ? exitCodes.incomplete : exitCodes.ok
  },
}

function toText({ name, result, detail, advice }: Check): string {
  const line = `${marks[result].padEnd(8)} ${name}: ${detail}`
  return advice === undefined ? line : `${line}\n         → ${advice}`
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
