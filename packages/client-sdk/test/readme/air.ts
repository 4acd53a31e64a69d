import type { Posrep } from '@posrep/client-sdk'
import { createAir, followAir } from '@posrep/client-sdk/air'

export async function showAir(posrep: Posrep, signal: AbortSignal): Promise<void> {
  const { data } = await createAir(posrep).listAirAlerts()
  for (const { text } of data) console.log(text)
  const onInterrupted = (pauseMs: number, error?: Error) =>
    console.error(error ?? 'The stream broke off', `– next attempt in ${Math.round(pauseMs / 1_000)} s`)
  // First the whole picture, then about once a second. It continues after interruptions.
  for await (const { time, tracks, frame } of followAir(posrep, { bbox: '24,60,26,61', signal, onInterrupted }))
    console.log(time, `${tracks.size} tracks, ${frame.tracks.length} of them new or changed`)
}
