import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'

type Metrics = MetricObjectWithValues<MetricValue<string>>[]

/** What worker and primary say to each other about metrics; a question and its answer have one number. */
type Message =
  | { metrics: 'wanted'; id: number }
  | { metrics: 'of-all'; id: number; text: string }
  | { metrics: 'asked'; id: number }
  | { metrics: 'own'; id: number; own: Metrics }

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message

/** One that is busy or dies meanwhile is left out, and the others are told. */
const PATIENCE_MS = 2_000

/**
 * Answers for `/metrics`: those of this process, or of all workers together (rules/running#workers), whichever of them is
 * asked.
 */
export function shareMetrics(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics()
  let asked = 0
  const waiting = new Map<number, (text: string) => void>()
  process.on('message', (message) => {
    if (!isMessage(message)) return
    const { id } = message
    if (message.metrics === 'of-all') waiting.get(id)?.(message.text)
    if (message.metrics === 'asked')
      void registry
        .getMetricsAsJSON()
        .catch((): Metrics => [])
        .then((own) => process.send?.({ metrics: 'own', id, own } satisfies Message))
  })
  return async () => {
    const id = asked++
    const answered = new Promise<string>((resolve) => waiting.set(id, resolve))
    process.send?.({ metrics: 'wanted', id } satisfies Message)
    return answered.finally(() => waiting.delete(id))
  }
}

let questions = 0

/** The primary's side: when a worker wants the metrics of all, asks all, adds up and answers. */
export async function answerMetrics(
  asker: Worker,
  message: unknown,
  workers: () => Iterable<Worker>,
): Promise<void> {
  if (!isMessage(message) || message.metrics !== 'wanted') return
  const number = questions++
  const all = await Promise.all([...workers()].map((worker) => ask(worker, number)))
  const text = await AggregatorRegistry.aggregate(all.filter((own) => own !== undefined)).metrics()
  if (asker.isConnected()) asker.send({ metrics: 'of-all', id: message.id, text } satisfies Message)
}

function ask(worker: Worker, id: number): Promise<Metrics | undefined> {
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      if (isMessage(message) && message.metrics === 'own' && message.id === id) end(message.own)
    }
    const end = (own?: Metrics) => {
      clearTimeout(timer)
      worker.off('message', listen)
      resolve(own)
    }
    const timer = setTimeout(end, PATIENCE_MS)
    worker.on('message', listen)
    worker.send({ metrics: 'asked', id } satisfies Message, (error) => error && end())
  })
}
