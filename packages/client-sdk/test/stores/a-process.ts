/**
 * A process with a file token store, for tests.
 * In: the file, and `count N` (under the lock, read a generation and write the next one, N times) or `hold` (hold the
 * lock until a message). Out: the message `held`; exit 0.
 */
import { once } from 'node:events'
import { fileTokenStore } from '../../src/stores/file.ts'

const [file = '', job, times] = process.argv.slice(2)
const store = fileTokenStore({ file })

if (job === 'hold') {
  await store.lock?.(async () => {
    process.send?.('held')
    await once(process, 'message')
  })
  process.disconnect()
} else {
  for (let time = 0; time < Number(times); time += 1) {
    await store.lock?.(async () => {
      const tokens = await store.read()
      const generation = Number(tokens?.accessToken.replace('access-', ''))
      await store.write({ accessToken: `access-${generation + 1}` })
    })
  }
}
