/** Connections that send a text and read nothing. One that the server closes is opened again. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import type { AttackData } from './attack.ts'
import { counted } from './requests.ts'

const pauseMs = 500

export async function keepSending(
  { ready, certificate }: AttackData,
  kind: string,
  text: string,
  stopping: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(ready.origin)
  while (!stopping.aborted) {
    const socket = tls.connect({ host: hostname, port: Number(port), ca: certificate.ca, servername: 'localhost' })
    // The server may close it by a reset, which is no failure of the attack.
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve))
    const destroy = () => void socket.destroy()
    stopping.addEventListener('abort', destroy)
    await counted(kind, async () => {
      await once(socket, 'secureConnect')
      socket.write(text)
      return 200
    })
    await closed
    stopping.removeEventListener('abort', destroy)
    await sleep(pauseMs)
  }
}
