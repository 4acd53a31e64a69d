/**
 * Makes sure that this process can end. A process that ends while a thread compiles with Maglev may wait for ever: the
 * thread waits for a garbage collection of the main thread, which waits for the thread
 * (https://github.com/nodejs/node/issues/54918). A command calls it first; a server when it begins to stop.
 */
import { setFlagsFromString } from 'node:v8'

export function ensureCertainEnd(): void {
  setFlagsFromString('--no-maglev')
}
