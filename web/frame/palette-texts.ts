import { palette as en } from '../../contract/messages/en/palette.ts'
import { palette as ko, type PaletteTexts } from '../../contract/messages/ko/palette.ts'
import { useLanguage } from '../language.tsx'

/** The texts of the palette in the language in use: apart from the catalogue, they come with it. */
export function usePaletteTexts(): PaletteTexts {
  return { ko, en }[useLanguage().language]
}
