import * as z from 'zod/mini'

/**
 * zod compiles its object schemas with `new Function`, which the content security policy refuses. Has to
 * run before the first schema is made, so it is the first import of `main.tsx`.
 */
z.config({ jitless: true })
