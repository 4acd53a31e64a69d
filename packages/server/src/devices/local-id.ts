/** The sensor's local ID, and the globally unique URN derived from it (specification, "Sensor identifiers"). */

/** `compat` also allows the IDs of real firmware, such as `imei:123`. */
export type SensorIdPolicy = 'strict' | 'compat'

const patterns: Record<SensorIdPolicy, RegExp> = {
  strict: /^[A-Za-z0-9]{1,255}$/,
  compat: /^[A-Za-z0-9._:-]{1,255}$/,
}

export function isLocalId(localId: string, policy: SensorIdPolicy): boolean {
  return patterns[policy].test(localId)
}

export function toUrn(urnPart: string, localId: string): string {
  return `urn:aa:device:${urnPart}:${localId}`
}

/** The part after the fourth colon. Under the compat policy it may contain colons. */
export function localIdOf(urn: string): string {
  return urn.split(':').slice(4).join(':')
}
