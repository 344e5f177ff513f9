import { permissionsText } from './permissions/table.ts'
import { print } from './print.ts'

print(permissionsText())
