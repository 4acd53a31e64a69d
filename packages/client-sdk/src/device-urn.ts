/**
 * The URNs of devices: `urn:aa:device:<client_part>:<local_sensor_id>`.
 * In: a URN, or its parts. Out: the parts, or a URN. See the specification, § Sensor identifiers.
 */
export interface DeviceUrnParts {
  /** Identifies the client that the sensor was registered for: letters, digits and `-`. */
  clientPart: string
  /** Identifies the sensor within its account: 1 to 255 letters, digits and `.`, `_`, `:`, `-`. */
  localSensorId: string
}

const pattern = /^urn:aa:device:([A-Za-z0-9-]+):([A-Za-z0-9._:-]{1,255})$/

/** Undefined if the text is not the URN of a device. */
export function parseDeviceUrn(urn: string): DeviceUrnParts | undefined {
  const [, clientPart, localSensorId] = pattern.exec(urn) ?? []
  return clientPart && localSensorId ? { clientPart, localSensorId } : undefined
}

/** @throws TypeError if the parts cannot be those of a URN */
export function toDeviceUrn({ clientPart, localSensorId }: DeviceUrnParts): string {
  const urn = `urn:aa:device:${clientPart}:${localSensorId}`
  if (parseDeviceUrn(urn)?.clientPart === clientPart) return urn
  throw new TypeError(
    `"clientPart" and "localSensorId" make no URN, got ${JSON.stringify({ clientPart, localSensorId })}`,
  )
}
