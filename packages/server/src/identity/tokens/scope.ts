/** Scopes (RFC 6749 §3.3): a list of words; their order and repetition have no meaning. */

/** The words of a `scope` parameter, each once. */
export function toScopes(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((word) => word !== ''))]
}

const maxShownLength = 100

/**
 * The first scope that is not allowed, as it is shown in the description of an error (RFC 6749 §5.2: ASCII without `"`
 * and `\`).
 */
export function findForeignScope(scopes: string[], allowed: string[]): string | undefined {
  const foreign = scopes.find((scope) => !allowed.includes(scope))
  return foreign?.slice(0, maxShownLength).replaceAll(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
