/**
 * What every package's build has in common.
 * In: the package's entry points. Out: the tsup options that turn them into ESM, types and source maps in dist/.
 */
import type { Options } from 'tsup'

export function build(entry: Record<string, string>, options: Options = {}): Options {
  return {
    entry,
    format: 'esm',
    target: 'node22',
    platform: 'neutral',
    dts: true,
    sourcemap: true,
    clean: true,
    silent: true,
    // `node:sqlite` exists under no other name.
    removeNodeProtocol: false,
    ...options,
  }
}
