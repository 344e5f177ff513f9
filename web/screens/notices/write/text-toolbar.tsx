import { useState, type KeyboardEvent } from 'react'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { walk } from '../../../ui/walk.ts'
import { TOOL_ICONS } from './text-icons.tsx'
import { TOOL_BUTTONS, type ToolButton } from './text-tools.ts'

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

/** Buttons that put the signs of Markdown into a text: one stop of the tab key, and arrow keys from one to the next. */
export function TextToolbar({
  areaId,
  onPress,
}: {
  areaId: string | undefined
  onPress: (tool: ToolButton) => void
}) {
  const t = usePortalMessages().notices.tools
  const [reached, setReached] = useState<ToolButton>('bold')
  return (
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label={t.label}
      aria-controls={areaId}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) =>
        walk(event, event.currentTarget.querySelectorAll('button'), STEPS)
      }
    >
      {TOOL_BUTTONS.map((tool) => {
        const Icon = TOOL_ICONS[tool]
        return (
          <Button
            key={tool}
            variant="quiet"
            size="small"
            isIcon
            aria-label={t[tool]}
            title={t[tool]}
            tabIndex={tool === reached ? 0 : -1}
            onFocus={() => setReached(tool)}
            onClick={() => onPress(tool)}
          >
            <Icon size={18} />
          </Button>
        )
      })}
    </div>
  )
}
