/**
 * Bytes in the shapes in which parsers, queues and hosts give them. In: any value. Out: a copy of its bytes, or
 * undefined.
 */

export function findBytes(given: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof given === 'string') return new TextEncoder().encode(given)
  // Not `instanceof`: test runners and sandboxes have classes of their own.
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength).slice()
  return isArrayBuffer(given) ? new Uint8Array(given).slice() : undefined
}

function isArrayBuffer(given: unknown): given is ArrayBuffer {
  return Object.prototype.toString.call(given) === '[object ArrayBuffer]'
}
