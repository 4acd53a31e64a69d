import { relayReceiver } from '@posrep/relay-receiver/express'

const counts = new Map<string, number>()

export const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  onReport: () => {},
  onAnswer({ status, code = 'accepted', device, tookMs }) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
    if (status >= 400) console.log(JSON.stringify({ status, code, device, tookMs }))
  },
  onError: (cause) => console.error(cause),
})
