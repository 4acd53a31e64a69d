/**
 * Where the document's operations are served, and which need a user's token.
 * In: a path. Out: what the document's table says of it.
 */
import { type OperationServer, operationTable } from '@posrep/spec/operations'

interface Place {
  servers: readonly OperationServer[]
  token: 'userToken' | 'deviceToken' | null
}

/** The operations that are not a user's at the user interface. Their paths have no parameters. */
const exceptions = new Map(
  Object.values(operationTable)
    .filter(({ token }) => token !== 'userToken')
    .map(({ path, servers, token }): [string, Place] => [path, { servers, token }]),
)

export function isUserOperation(path: string): boolean {
  return !exceptions.has(path)
}

/** The server of a path that the user interface does not serve. */
export function findOtherServer(path: string): OperationServer | undefined {
  const servers = exceptions.get(path)?.servers
  return servers?.some((server) => server === 'ui') === false ? servers[0] : undefined
}
