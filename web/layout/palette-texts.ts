import { palette as en } from '../../contract/messages/en/palette.ts'
import { palette as ko } from '../../contract/messages/ko/palette.ts'
import { createTexts } from '../language.tsx'

/** Returns the texts of the command palette, which load with it. */
export const usePaletteTexts = createTexts({ ko, en })
