import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag } from '../fields.ts'
import { CHOOSABLE, KINDS, MAIL } from './kinds.ts'

/** Lists the caller's notification preferences, for the kinds that may concern the caller. */
export const listNotificationChoices = endpoint({
  path: '/ntf/v1/get/choices',
  summary: 'Read my notification preferences',
  access: 'signed-in',
  output: z.object({
    choices: z.array(
      z.object({
        kind: z.enum(KINDS),
        /** Whether it is shown in the notification bell and on the page of notifications. */
        shown: flag,
        mail: z.enum(Object.values(MAIL)),
        /** False if the user cannot change it, because it concerns the security of the account. */
        changeable: flag,
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Changes the caller's preferences for one kind: whether the portal shows it, and when it is mailed. The input schema
 * refuses kinds about the security of the account (INPUT_INVALID). Writes no audit row.
 */
export const chooseNotification = endpoint({
  path: '/ntf/v1/upd/choice',
  summary: 'Choose how I am notified of a kind',
  access: 'signed-in',
  input: z.strictObject({
    kind: z.enum(CHOOSABLE, 'codeFormat'),
    shown: flag,
    mail: z.enum(Object.values(MAIL), 'codeFormat'),
  }),
  audit: 'none',
  personal: 'none',
})
