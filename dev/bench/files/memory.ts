/** Answers its parent's 'memory' with the most memory that the process held, and the CPU time it used, since before. */
export function watchMemory(): void {
  let most = 0
  let usage = process.cpuUsage()
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  setInterval(look, 100).unref()
  // A parent that was killed stops nobody.
  process.on('disconnect', () => process.exit(0))
  process.on('message', (message) => {
    if (message !== 'memory') return
    look()
    const { user, system } = process.cpuUsage(usage)
    process.send?.({ memory: most, cpuSeconds: (user + system) / 1e6 })
    most = 0
    usage = process.cpuUsage()
  })
}
