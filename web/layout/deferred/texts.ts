import { lateFrame as en } from '../../../contract/messages/en/deferred-layout.ts'
import { lateFrame as ko } from '../../../contract/messages/ko/deferred-layout.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of the deferred layout, which load with it. */
export const useLateTexts = createTexts({ ko, en })
