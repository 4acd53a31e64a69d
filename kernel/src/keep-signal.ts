/**
 * Keeps the signal of a request working.
 * In: a request. Out: the same one, which lives as long as its signal. Node drops the link from an abort to the
 * connection once nobody refers to the `Request`; then neither the wait for the response nor the reading of its body
 * would end.
 */
const requests = new WeakMap<AbortSignal, Request>()

export function keepSignal(request: Request): Request {
  requests.set(request.signal, request)
  return request
}
