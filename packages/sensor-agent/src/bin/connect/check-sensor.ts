/**
 * Whether the identity of this machine is that of the sensor that the settings name: the service refuses reports of
 * another one.
 */
import { CommandError, exitCodes } from '../exit-codes.ts'

/** @throws CommandError when it is not. `sensorId`: the URN, which ends with the local ID. */
export function checkSensor(sensorId: string, sensor: string): void {
  if (sensorId === sensor || sensorId.endsWith(`:${sensor}`)) return
  const message = `This machine is paired as ${sensorId}, not as "${sensor}": check --sensor, give this sensor a --state-dir of its own, or run posrep-agent identity reset first, which forgets the identity`
  throw new CommandError('other_identity', message, exitCodes.usage)
}
