import * as z from 'zod/mini'

/**
 * Keeps zod from compiling its object schemas with `new Function`, which the content security policy refuses. Must run
 * before the first schema is created, so it is the first import of `main.tsx`.
 */
z.config({ jitless: true })
