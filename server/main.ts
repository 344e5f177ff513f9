import { runMaru } from './cli/terminal.ts'

await runMaru()
