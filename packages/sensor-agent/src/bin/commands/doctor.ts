/** `posrep-agent doctor`: checks everything between the source and the service, and says what to do. */
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
  description: 'check DNS, TLS, service, clock, token, spool and source, send an empty report, and say what to do',
  options: optionsOf.doctor,
  examples: ['posrep-agent doctor --ingest https://localhost:8443 --sensor radar2'],
  async run({ settings, output }) {
    const service = connect(settings)
    const sources = readSources(settings)
    const { checks: network, isAnswered } = await checkNetwork(service)
    const checks: Check[] = [
      ...network,
      ...(isAnswered ? await checkService(service) : []),
      ...(await checkStorage(service.state)),
      ...(await checkSources(
        sources,
        network.some(({ name, result }) => name === 'clock' && result === 'warning'),
      )),
    ]
    output.result(checks.map(toText).join('\n'), { checks })
    return checks.some(({ result }) => result === 'failed') ? exitCodes.incomplete : exitCodes.ok
  },
}

function toText({ name, result, detail, advice }: Check): string {
  const line = `${marks[result].padEnd(8)} ${name}: ${detail}`
  return advice === undefined ? line : `${line}\n         → ${advice}`
}
