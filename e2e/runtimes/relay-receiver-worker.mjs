/**
 * The module that the docs show for Workers.
 * In: OPTIONS, the receiver's options, put in by the bundler. Out: a line with the ID of each position.
 */
import { relayReceiver } from '@posrep/relay-receiver'

const receiver = relayReceiver({
  ...OPTIONS,
  onReport({ positions }) {
    for (const { id } of positions) console.log(id)
  },
})

export default { fetch: receiver.fetch }
