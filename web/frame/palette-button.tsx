import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { loadPalette, SHORTCUT } from './use-palette.tsx'

const preload = () => void loadPalette().catch(() => {})

/** Opens the command palette, and tells its shortcut. */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const t = usePortalMessages().frame
  return (
    <Button
      variant="quiet"
      size="small"
      title={`${t.find} (${SHORTCUT.text})`}
      aria-haspopup="dialog"
      aria-keyshortcuts={SHORTCUT.keys}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={onOpen}
    >
      <SearchIcon size={16} />
      <span className="visually-hidden">{t.find}</span>
      <span aria-hidden="true">{SHORTCUT.text}</span>
    </Button>
  )
}
