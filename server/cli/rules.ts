import { writeFileSync } from 'node:fs'
import { rulesPages } from './call-tables.ts'

// `npm run rules`: updates the tables of calls and names in docs/rules from the contract.
for (const [path, text] of rulesPages()) writeFileSync(path, text)
