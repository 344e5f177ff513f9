/**
 * How many keys one process issues at once. Those of one partner wait for each other anyway; waiting here they hold no
 * connection, so that a partner with a thousand calls at once leaves the database to everybody else.
 */
const AT_ONCE = 4

interface Line {
  running: number
  waiting: (() => void)[]
}

const lines = new WeakMap<object, Line>()

/** Does the work when it is its turn. @param of what the line is for: a database */
export async function takeTurn<T>(of: object, work: () => Promise<T>): Promise<T> {
  const line = lines.get(of) ?? { running: 0, waiting: [] }
  lines.set(of, line)
  if (line.running < AT_ONCE) line.running += 1
  // Whoever leaves hands the turn on.
  else await new Promise<void>((resolve) => line.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next === undefined) line.running -= 1
    else next()
  }
}
