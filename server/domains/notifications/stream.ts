import type { FastifyInstance } from 'fastify'
import { countUnreadNotifications, NOTIFICATION_STREAM_PATH } from '../../../contract/notifications/count.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import { authorize } from '../../http/authorize.ts'
import type { MountOptions } from '../../http/mount.ts'
import { refuseCrossSite } from '../../http/same-site.ts'
import { openStreams } from './live.ts'

/**
 * Mounts the stream of server-sent events that says "something is new" (design/mail-and-notifications#notifications). It is found like a call, in turn; open, it
 * takes no turn and is no activity of its session.
 */
export function mountNotificationStream(app: FastifyInstance, options: MountOptions): void {
  const streams = openStreams(options, app.log)
  // Before the server waits for what is open.
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
      // A proxy that collects an answer before it passes it on would say nothing for ever.
      reply.header('X-Accel-Buffering', 'no').header('Cache-Control', 'no-store')
      return reply.type('text/event-stream').send(stream)
    },
  })
}
