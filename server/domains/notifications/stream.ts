import type { FastifyInstance } from 'fastify'
import { countUnreadNotifications, NOTIFICATION_STREAM_PATH } from '../../../contract/notifications/count.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import { authorize } from '../../http/authorize.ts'
import type { MountOptions } from '../../http/mount.ts'
import { refuseCrossSite } from '../../http/same-site.ts'
import { openStreams } from './live.ts'

/**
 * Mounts the stream of server-sent events that reports "something is new" (design/mail-and-notifications#notifications). Opening
 * it is queued like a call. An open stream uses no slot and is no activity of its session.
 */
export function mountNotificationStream(app: FastifyInstance, options: MountOptions): void {
  const streams = openStreams(options, app.log)
  // Before the server waits for open connections.
  app.addHook('preClose', async () => streams.close())

  app.route({
    method: 'GET',
    url: API_BASE + NOTIFICATION_STREAM_PATH,
    exposeHeadRoute: false,
    onRequest: refuseCrossSite,
    async handler(request, reply) {
      const reader = await authorize(request, countUnreadNotifications, options)
      await options.callLimits.use(countUnreadNotifications.perPerson, reader.id)
      const stream = streams.open(reader)
      // A proxy that buffers the response would never pass on an event.
      reply.header('X-Accel-Buffering', 'no').header('Cache-Control', 'no-store')
      return reply.type('text/event-stream').send(stream)
    },
  })
}
