import { writeFileSync } from 'node:fs'
import { rulesPages } from './call-tables.ts'

for (const [path, text] of rulesPages()) writeFileSync(path, text)
