import type { Posrep } from '@posrep/client-sdk'
import { signInWithPopup } from '@posrep/client-sdk/popup'
import { watchRecent } from '@posrep/client-sdk/watch'

export async function showLive(posrep: Posrep, button: HTMLElement, deviceUrn: string): Promise<void> {
  button.onclick = () => signInWithPopup(posrep)
  for await (const { positions } of watchRecent(posrep, deviceUrn, { signal: AbortSignal.timeout(60_000) }))
    console.log(positions)
}
