/** `posrep-server sensors`: manages registered sensors, imports lists of them, and decides on users' requests. */
import { readFile } from 'node:fs/promises'
import { helpEnd } from '@posrep/kernel/help'
import type { Command } from 'commander'
import { findLocalIdProblem, readEntry } from '../../admin/entries.ts'
import { SettingsError } from '../../errors.ts'
import { adminAction, toList } from '../admin-action.ts'
import { addSensorRequestCommands, toAdded } from './sensor-requests.ts'

const flags = { localId: 'The local ID', client: '--client', name: 'The name' }
const localIdSettings = ['sensorIdPolicy'] as const

export function addSensorCommands(program: Command): void {
  const sensors = program.command('sensors').description('manage registered sensors and requests to register sensors')
  const onSensor = (name: string, description: string) =>
    sensors.command(name).description(description).argument('<sensor>', 'URN, or a local ID that only one account has')

  adminAction<[localId: string, options: { client: string; name?: string }]>(
    sensors
      .command('add')
      .description('register a sensor')
      .argument('<local-id>', "the sensor's own ID")
      .requiredOption('--client <ID>', 'client of the sensor')
      .option('--name <NAME>', 'display name (default: the local ID)')
      .addHelpText('after', helpEnd({ examples: ['posrep-server sensors add roof1 --client fleet --name Roof'] })),
    async ({ sensors, rules }, localId, { client, name }) => {
      const entry = readEntry('sensor', { localId, client, ...(name !== undefined && { name }) }, flags)
      const problem = findLocalIdProblem(entry.localId, rules)
      if (problem !== undefined) throw new SettingsError(`The local ID ${problem}`)
      const sensor = await sensors.add(entry)
      return { json: sensor, text: toAdded(sensor) }
    },
    { settings: localIdSettings },
  )

  adminAction<[options: { account?: string; client?: string }]>(
    sensors
      .command('list')
      .description('list the sensors')
      .option('--account <ID>', 'only those of this account')
      .option('--client <ID>', 'only those of this client'),
    async ({ sensors }, options) =>
      toList(
        await sensors.list(options),
        ({ urn, name, account, client, createdAt, blocked }) => ({
          URN: urn,
          NAME: name,
          ACCOUNT: account,
          CLIENT: client,
          ADDED: createdAt,
          STATE: blocked ? 'blocked' : 'enabled',
        }),
        'There are no sensors; to add one: posrep-server sensors add roof1 --client fleet',
      ),
  )

  adminAction<[file: string]>(
    sensors
      .command('import')
      .description('register the sensors of a CSV file, all or none')
      .argument('<file>', 'lines of local_id,client_id,name in UTF-8; - reads standard input')
      .addHelpText(
        'after',
        helpEnd({
          notes:
            'The header and the names are optional. If a line cannot be registered, no sensor is, and every bad line is listed.',
          examples: ['local_id,client_id,name\nroof1,fleet,Roof\nmast2,fleet,"Mast, north side"'],
        }),
      ),
    async ({ importSensors }, file) => {
      const outcome = await importSensors(await readInput(file))
      if (outcome.kind === 'registered') {
        const text = outcome.sensors === 1 ? '1 sensor' : `${outcome.sensors} sensors`
        return { json: { registered: outcome.sensors, badLines: [] }, text: `Registered ${text}` }
      }
      const { badLines } = outcome
      const count = badLines.length === 1 ? '1 line' : `${badLines.length} lines`
      const problems = [
        ...badLines.map(({ line, reason }) => `line ${line}: ${reason}`),
        `Nothing was registered: ${count} of "${file}" cannot be registered; correct them and import the file again`,
      ]
      return { json: { registered: 0, badLines }, text: '', problems }
    },
    { settings: localIdSettings },
  )

  addSensorRequestCommands(sensors)

  adminAction<[sensor: string, name: string]>(
    onSensor('rename', 'change the display name of a sensor').argument('<name>', 'display name'),
    async ({ sensors }, sensor, given) => {
      const { name = given } = readEntry('sensor', { localId: sensor, client: 'any', name: given }, flags)
      const renamed = await sensors.rename(sensor, name)
      return { json: renamed, text: `Renamed the sensor "${renamed.urn}" to "${renamed.name}"` }
    },
  )

  adminAction<[sensor: string]>(
    onSensor('block', 'revoke the tokens of a sensor and issue no more'),
    async ({ sensors }, sensor) => {
      const blocked = await sensors.block(sensor)
      return { json: blocked, text: `Blocked the sensor "${blocked.urn}"` }
    },
  )

  adminAction<[sensor: string]>(
    onSensor('unblock', 'allow a blocked sensor to get tokens again'),
    async ({ sensors }, sensor) => {
      const unblocked = await sensors.unblock(sensor)
      return { json: unblocked, text: `Unblocked the sensor "${unblocked.urn}"` }
    },
  )

  adminAction<[sensor: string, options: { releaseLocalId?: boolean }]>(
    onSensor('remove', 'revoke the tokens of a sensor and delete it; its pending deliveries are not sent').option(
      '--release-local-id',
      'other accounts may pair a sensor with this local ID at once (default: after 30 days)',
    ),
    async ({ sensors }, sensor, { releaseLocalId = false }) => {
      const removed = await sensors.remove(sensor, { releases: releaseLocalId })
      return { json: removed, text: `Removed the sensor "${removed.urn}"` }
    },
    { confirm: (sensor) => `Remove the sensor "${sensor}"? Its tokens end, and its pending deliveries are not sent` },
  )
}

async function readInput(file: string): Promise<Uint8Array> {
  if (file === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  try {
    return await readFile(file)
  } catch (cause) {
    throw new SettingsError(`"${file}" cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
