import { LANGUAGES } from '../../contract/messages/language.ts'
import { setLanguage, useLanguage, useMessages } from '../language.tsx'
import { THEMES, useTheme, type Theme } from '../theme.ts'
import { dialogs } from '../ui/dialogs.ts'
import { MoonIcon, SunIcon } from '../ui/icons.tsx'
import layout from '../ui/layout.module.css'
import { Segmented } from './segmented.tsx'

const themeIcons: Record<Theme, React.ReactNode> = {
  light: <SunIcon size={17} />,
  dark: <MoonIcon size={17} />,
  system: <ScreenIcon />,
}

/** The language and the theme switch; both choices last (rules/frame#languages, rules/frame#theme). */
export function Preferences() {
  const t = useMessages().frame
  const { language } = useLanguage()
  const { theme, setTheme } = useTheme()
  return (
    <div className={layout.row}>
      <Segmented
        label={t.language}
        value={language}
        segments={LANGUAGES.map((value) => ({ value, label: t.languages[value], lang: value }))}
        onChange={(value) =>
          // The second catalogue comes over the network.
          void setLanguage(value).catch(() => dialogs.alert({ message: t.languageFailed }))
        }
      />
      <Segmented
        label={t.theme}
        value={theme}
        segments={THEMES.map((value) => ({ value, label: t.themes[value], icon: themeIcons[value] }))}
        onChange={setTheme}
      />
    </div>
  )
}

function ScreenIcon() {
  return (
    <svg
      aria-hidden="true"
      width="17"
      height="17"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect x="2.5" y="3.5" width="15" height="10" rx="1.5" />
      <path d="M7 17h6M10 13.5V17" />
    </svg>
  )
}
