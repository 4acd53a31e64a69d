/** Scopes (RFC 6749 §3.3): a list of words; their order and repetition have no meaning. */

/** The words of a `scope` parameter, each once. */
export function toScopes(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((word) => word !== ''))]
}

export function isWithin(scopes: string[], allowed: string[]): boolean {
  return scopes.every((scope) => allowed.includes(scope))
}
