import type { ReactNode } from 'react'
import { LANGUAGES } from '../../contract/messages/language.ts'
import { setLanguage, useLanguage, useMessages } from '../language.tsx'
import { THEMES, useTheme, type Theme } from '../theme.ts'
import { dialogs } from '../ui/dialogs.ts'
import { MoonIcon, ScreenIcon, SunIcon } from '../ui/core-icons.tsx'
import layout from '../ui/layout.module.css'
import styles from './preferences.module.css'
import { SegmentedControl } from './segmented.tsx'

/** Icons of the themes. */
const themeIcons: Record<Theme, ReactNode> = {
  light: <SunIcon size={17} />,
  dark: <MoonIcon size={17} />,
  system: <ScreenIcon size={17} />,
}

/**
 * Shows the switches for language and theme, whose choices take effect immediately and are stored in the browser
 * (rules/frame#languages, rules/frame#theme). Shows an alert if the texts of a language cannot be loaded.
 * @param isList true to show each in its own line, with a label before it
 */
export function Preferences({ isList = false }: { isList?: boolean }) {
  const t = useMessages().frame
  const { language } = useLanguage()
  const { theme, setTheme } = useTheme()
  const named = (label: string, choice: ReactNode) =>
    isList ? (
      <div className={styles.line}>
        {/* The choice is called so itself. */}
        <span aria-hidden="true">{label}</span>
        {choice}
      </div>
    ) : (
      choice
    )
  return (
    <div className={isList ? undefined : layout.row}>
      {named(
        t.language,
        <SegmentedControl
          label={t.language}
          value={language}
          segments={LANGUAGES.map((value) => ({ value, label: t.languages[value], lang: value }))}
          onChange={(value) =>
            // The second catalogue comes over the network.
            void setLanguage(value).catch(() => dialogs.alert({ message: t.languageFailed }))
          }
        />,
      )}
      {named(
        t.theme,
        <SegmentedControl
          label={t.theme}
          value={theme}
          segments={THEMES.map((value) => ({ value, label: t.themes[value], icon: themeIcons[value] }))}
          onChange={setTheme}
        />,
      )}
    </div>
  )
}
