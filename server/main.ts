import { runMaru } from './cli/terminal.ts'

// `npm start`: runs Maru until a signal ends it.
await runMaru()
