import { openApiText } from './openapi/document.ts'
import { print } from './print.ts'

print(openApiText())
