import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

/** Receiver of syslog messages. */
export interface SyslogReceiver {
  isTls: boolean
  host: string
  port: number
}

/** Times of a sender in milliseconds; shorter in tests. */
export interface SyslogTimes {
  /** Until a batch must have been read. */
  timeoutMs: number
  /** Time that a receiver must stay connected after it has read a batch. */
  holdMs: number
}

/** Sender of messages to a receiver of syslog. */
export interface SyslogSender {
  /**
   * Sends a batch, and waits until the receiver has read it (design/events#confirmation-without-acknowledgements).
   * @throws {Error} if it has not: the caller sends the batch again
   */
  send(messages: readonly string[], signal: AbortSignal): Promise<void>
}

/** Returns a message with its length in octets before it (RFC 6587, RFC 5425). */
const frameOf = (message: string) => `${Buffer.byteLength(message)} ${message}`

/** Creates a sender. It connects with the first batch, and sends one batch per connection. */
export function createSyslogSender(
  { isTls, host, port }: SyslogReceiver,
  { timeoutMs, holdMs }: SyslogTimes = { timeoutMs: 30_000, holdMs: 1_000 },
): SyslogSender {
  let current: Socket | undefined

  /** Connects to the receiver. Errors after that close the socket and are not thrown. */
  async function open(signal: AbortSignal): Promise<Socket> {
    const socket = isTls
      ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) })
      : connectPlain({ host, port })
    // The answer to what fails is that the connection closes.
    socket.on('error', () => {}).unref()
    // Unread bytes would reset the connection when it is closed.
    socket.resume()
    try {
      await once(socket, isTls ? 'secureConnect' : 'connect', { signal })
      return socket
    } catch (error) {
      socket.destroy()
      throw error
    }
  }

  return {
    async send(messages, signal) {
      const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const sending = current?.closed === false && !current.readableEnded ? current : await open(within)
      current = undefined
      let witness: Socket | undefined
      try {
        const isRead = once(sending, 'close', { signal: within })
        isRead.catch(() => {})
        sending.write(messages.map(frameOf).join(''))
        // A receiver that is killed closes its connections as if it had read them: the next one must outlive this one.
        witness = await open(within)
        sending.end()
        const [hasFailed] = (await isRead) as [boolean]
        if (hasFailed) throw new Error('the receiver broke the connection off')
        await sleep(holdMs, undefined, { signal })
        if (witness.closed || witness.readableEnded) throw new Error('the receiver ended')
        current = witness
      } catch (error) {
        witness?.destroy()
        throw error
      } finally {
        sending.destroy()
      }
    },
  }
}
