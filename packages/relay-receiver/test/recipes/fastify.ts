import type { RelayListener } from '@posrep/relay-receiver/node'
import type { FastifyInstance } from 'fastify'

export function mountInFastify(app: FastifyInstance, path: string, receiver: RelayListener): void {
  app.register(async (scope) => {
    // Only in this scope: the receiver reads the raw body, so Fastify must not parse it.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(path, async (request, reply) => {
      reply.hijack()
      await receiver(request.raw, reply.raw)
    })
  })
}
