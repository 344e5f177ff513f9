import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from './listen.ts'

test('refuses a HOST that no resolver answers in one line (rules/running#start-refusal)', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  // Whether the resolver of this machine answers is not known.
  vi.spyOn(app.server, 'listen').mockImplementation(() => {
    const error = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    process.nextTick(() => app.server.emit('error', error))
    return app.server
  })
  await expect(listen(app, { host: 'name.invalid', port: 0 })).rejects.toThrow(
    /^HOST name\.invalid with PORT 0 cannot be used \(EAI_AGAIN\)/,
  )
})
