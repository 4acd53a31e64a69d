/**
 * A port for a process that is told where to listen. In: nothing. Out: a port on which nobody listens.
 * It is below those that systems give to outgoing connections (from 32,768), which a test beside this one may open by
 * the hundred before the process listens, and above the highest that browsers refuse to open (10,080).
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const [least, beyond] = [10_081, 32_768]

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(least, beyond)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
