/** `Announcements` over the messages of Redis. */
import type { Announcements } from '../../ports/storage/announcements.ts'
import type { RedisLink } from './link/link.ts'
import type { RedisPubSub } from './link/pub-sub.ts'

export function createRedisAnnouncements({ link, pubSub }: { link: RedisLink; pubSub: RedisPubSub }): Announcements {
  return {
    async announce(channel, message) {
      await link.publish(channel, message).catch(() => {})
    },
    listen: (channel, listener) => pubSub.join(`${link.prefix}${channel}`, listener),
  }
}
