/**
 * What texts call a sensor.
 * In: its ID. Out: of a device's URN the local ID, which is the part after the fourth colon; any other ID as it is.
 */
export function nameSensor(id: string): string {
  return /^urn:aa:device:[^:]*:(.+)$/s.exec(id)?.[1] ?? id
}
