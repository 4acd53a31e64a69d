/** `posrep-server sensors`: registered sensors, lists of them, and what users ask for. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { findLocalIdProblem, readEntry } from '../admin/entries.ts'
import { SettingsError } from '../errors.ts'
import { adminAction, toList } from './admin-action.ts'
import { addSensorRequestCommands } from './sensor-requests.ts'

const flags = { localId: 'The local ID', client: '--client', name: 'The name' }
const localIdSettings = ['sensor-id-policy']

export function addSensorCommands(program: Command): void {
  const sensors = program.command('sensors').description('registered sensors, and what users ask to register')
  const onSensor = (name: string, description: string) =>
    sensors.command(name).description(description).argument('<sensor>', 'its URN, or a local ID that one account has')

  adminAction<[localId: string, options: { client: string; name?: string }]>(
    sensors
      .command('add')
      .description('register a sensor')
      .argument('<local-id>', 'what the sensor calls itself')
      .requiredOption('--client <ID>', 'client of the sensor')
      .option('--name <NAME>', 'for people to read (default: the local ID)')
      .addHelpText('after', '\nExample: posrep-server sensors add roof1 --client fleet --name Roof'),
    async ({ sensors, rules }, localId, { client, name }) => {
      const entry = readEntry('sensor', { localId, client, ...(name !== undefined && { name }) }, flags)
      const problem = findLocalIdProblem(entry.localId, rules)
      if (problem !== undefined) throw new SettingsError(`The local ID ${problem}`)
      const sensor = await sensors.add(entry)
      return { json: sensor, text: `Added the sensor "${sensor.urn}" to the account "${sensor.account}"` }
    },
    localIdSettings,
  )

  adminAction<[options: { account?: string; client?: string }]>(
    sensors
      .command('list')
      .description('list the sensors')
      .option('--account <ID>', 'of this account only')
      .option('--client <ID>', 'of this client only'),
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
      .argument('<file>', 'lines of local_id,client_id,name in UTF-8; - takes standard input')
      .addHelpText(
        'after',
        `
The header and the names may be left out. Every line that cannot be registered is named, and then none is.
Example:
  local_id,client_id,name
  roof1,fleet,Roof
  mast2,fleet,"Mast, north side"`,
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
        `Nothing is registered: ${count} of "${file}" cannot be; mend them and import the file again`,
      ]
      return { json: { registered: 0, badLines }, text: '', problems }
    },
    localIdSettings,
  )

  addSensorRequestCommands(sensors)

  adminAction<[sensor: string, name: string]>(
    onSensor('rename', 'give a sensor another name; its IDs stay').argument('<name>', 'for people to read'),
    async ({ sensors }, sensor, given) => {
      const { name = given } = readEntry('sensor', { localId: sensor, client: 'any', name: given }, flags)
      const renamed = await sensors.rename(sensor, name)
      return { json: renamed, text: `Renamed the sensor "${renamed.urn}" to "${renamed.name}"` }
    },
  )

  adminAction<[sensor: string]>(
    onSensor('block', 'end the tokens of a sensor, which then gets no more'),
    async ({ sensors }, sensor) => {
      const blocked = await sensors.block(sensor)
      return { json: blocked, text: `Blocked the sensor "${blocked.urn}"` }
    },
  )

  adminAction<[sensor: string]>(
    onSensor('unblock', 'let a blocked sensor get tokens again'),
    async ({ sensors }, sensor) => {
      const unblocked = await sensors.unblock(sensor)
      return { json: unblocked, text: `Unblocked the sensor "${unblocked.urn}"` }
    },
  )

  adminAction<[sensor: string]>(
    onSensor('remove', 'end the tokens of a sensor and forget it; what its relay has not got yet is not sent'),
    async ({ sensors }, sensor) => {
      const removed = await sensors.remove(sensor)
      return { json: removed, text: `Removed the sensor "${removed.urn}"` }
    },
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
