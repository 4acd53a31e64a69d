/**
 * Loads files of the ground when they are needed, each once.
 * In: their addresses by name. Out: their bytes. A file that failed is requested again when it is needed later.
 */

/** After a failure. */
const pauseMs = 5_000

export function createFileLoader<Name extends string>(
  addresses: Partial<Record<Name, string>>,
  onLoaded: (name: Name, bytes: Uint8Array) => void,
): (name: Name) => void {
  /** Also those that have arrived, or failed a moment ago. */
  const requested = new Set<Name>()

  async function load(name: Name, address: string): Promise<void> {
    requested.add(name)
    const bytes = await readAnswer(address, (answer) => answer.arrayBuffer())
    if (bytes) onLoaded(name, new Uint8Array(bytes))
    else setTimeout(() => requested.delete(name), pauseMs)
  }

  return (name) => {
    const address = addresses[name]
    if (address !== undefined && !requested.has(name)) void load(name, address)
  }
}

/** Undefined if it cannot be read, such as without a connection. */
export async function readAnswer<T>(
  address: string,
  toContent: (answer: Response) => Promise<T>,
): Promise<T | undefined> {
  try {
    const answer = await fetch(address)
    return answer.ok ? await toContent(answer) : undefined
  } catch {
    return undefined
  }
}
