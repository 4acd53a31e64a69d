/**
 * Builds the `webhook-id` of a relay message. The signature covers it, so it tells receivers whose message it is.
 * In: the device's URN, and what identifies the message among those of the device. Out: the encoded URN, a `/`, and
 * that. Standard Webhooks joins the parts that are signed with dots, so the id must not contain a dot.
 */
export function toWebhookId(deviceUrn: string, message: string): string {
  return `${deviceUrn.replace(/[^A-Za-z0-9:-]/gu, percentEncode)}/${message}`
}

/** `encodeURIComponent` leaves some characters, such as the dot, as they are. */
function percentEncode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
