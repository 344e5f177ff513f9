import { permissionsText } from './permissions/table.ts'
import { print } from './print.ts'

// `npm run permissions`: prints the table of which role may make which call.
print(permissionsText())
