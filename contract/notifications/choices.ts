import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag } from '../fields.ts'
import { CHOOSABLE, KINDS, MAIL } from './kinds.ts'

/** What the caller is told of, and how: of the kinds that may concern them. */
export const listNotificationChoices = endpoint({
  path: '/ntf/v1/get/choices',
  summary: 'How I am told of what',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({
    choices: z.array(
      z.object({
        kind: z.enum(KINDS),
        /** In the bell and on the page of notifications. */
        shown: flag,
        mail: z.enum(Object.values(MAIL)),
        /** N: it is told whatever one would choose, for the sake of the account. */
        changeable: flag,
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Chooses how the caller is told of one kind; what concerns the account's safety is not among them. */
export const chooseNotification = endpoint({
  path: '/ntf/v1/upd/choice',
  summary: 'Choose how I am told of a kind',
  access: 'signed-in',
  input: z.strictObject({
    kind: z.enum(CHOOSABLE, 'codeFormat'),
    shown: flag,
    mail: z.enum(Object.values(MAIL), 'codeFormat'),
  }),
  output: z.object({}),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})
