/**
 * What no request may do, whatever it asks for: two Hosts, two Authorizations, an absolute target.
 * In front of everything, since what follows would each read another one of the two.
 */
import type { NextFunction, Request, Response } from 'express'
import { ApiError } from '../errors.ts'

const single = ['host', 'authorization', 'content-type']

export function guardRequest(request: Request, _response: Response, next: NextFunction): void {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  for (const name of single) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      throw new ApiError('invalid_request', `The header "${name}" is sent more than once`, {
        errors: [{ pointer: `/headers/${name}`, code: 'repeated', detail: 'must be sent once' }],
      })
    }
  }
  if (!request.url.startsWith('/')) throw new ApiError('invalid_request', 'The request target must be a path')
  next()
}
