import type { RelayListener } from '@posrep/relay-receiver/node'
import type { Middleware } from 'koa'

/** Works before and after @koa/bodyparser, which keeps the text of the body. */
export function koaReceiver(path: string, receiver: RelayListener): Middleware {
  return async (context, next) => {
    if (context.path !== path) return next()
    const { rawBody } = context.request as { rawBody?: string }
    context.respond = false
    await receiver(Object.assign(context.req, { rawBody }), context.res)
  }
}
