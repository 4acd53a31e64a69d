/**
 * The source of the content policy's `form-action` that lets a form end at an application: browsers apply it to the
 * redirect after a POST as well. In: the application's address. Out: its origin, or its scheme where a policy cannot
 * name the host (IPv6 literals).
 */
export function toFormAction(address: string): string {
  const { origin, protocol, hostname } = new URL(address)
  return hostname.startsWith('[') ? protocol : origin
}
