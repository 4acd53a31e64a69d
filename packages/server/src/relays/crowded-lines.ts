/** Devices that wait for a place at their relay's host, each in its turn. */
export interface CrowdedLines {
  add(host: string, line: string): void
  /** It has a place now. */
  remove(host: string, line: string): void
  /** Whoever has waited for longest; it waits no more. */
  take(host: string): string | undefined
}

export function createCrowdedLines(): CrowdedLines {
  const hosts = new Map<string, Set<string>>()

  function remove(host: string, line: string): void {
    const lines = hosts.get(host)
    lines?.delete(line)
    if (lines?.size === 0) hosts.delete(host)
  }

  return {
    remove,
    add(host, line) {
      hosts.set(host, (hosts.get(host) ?? new Set()).add(line))
    },
    take(host) {
      const [line] = hosts.get(host) ?? []
      if (line !== undefined) remove(host, line)
      return line
    },
  }
}
