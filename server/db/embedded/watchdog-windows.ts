// Does on Windows, which has neither sh nor signals, what watchdog.sh does: runs a command and ends it when standard input ends.
// watchdog.ts starts it.
import { spawn } from 'node:child_process'
import type { Command } from './watchdog.ts'

const { command, stopCommand }: { command: Command; stopCommand?: Command } = JSON.parse(
  process.argv[2] ?? '',
)
/** Whether the command has been asked to end. */
let stopping = false

/** The command that this process guards. */
const child = spawn(command.file, command.args, {
  stdio: ['ignore', 1, 1],
  windowsHide: true,
})
child.on('error', ({ message }) => process.stdout.write(`error: ${message}\n`, () => process.exit(127)))
child.on('exit', (code) => process.exit(code ?? 1))
// A working directory cannot be renamed or removed.
process.chdir('/')

process.stdin.on('end', stop).on('error', stop).resume()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)

/** Ends the command by its stop command, and after 20 seconds by force. */
function stop(): void {
  if (stopping) return
  stopping = true
  if (stopCommand) spawn(stopCommand.file, stopCommand.args, { stdio: 'ignore', windowsHide: true })
  else child.kill()
  setTimeout(() => child.kill(), 20_000).unref()
}
