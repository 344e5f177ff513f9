import { useState, type KeyboardEvent } from 'react'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { moveFocus } from '../../../ui/move-focus.ts'
import { TABLE_TOOLS, TOOL_BUTTONS, type ToolButton } from './text-tools.ts'
import { icon } from '../../../ui/core-icons.tsx'

/** Number of buttons that a key moves the focus by. */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

interface Props {
  /** ID of the field that the buttons change. */
  areaId: string | undefined
  /** Tools whose format the selection of the editor has; undefined for the Markdown source. */
  pressed: ReadonlySet<string> | undefined
  onPress: (tool: ToolButton) => void
}

/** Buttons that insert something or act once. The others switch a format on or off. */
const INSERTING: readonly ToolButton[] = ['picture', 'describe', ...TABLE_TOOLS]

/**
 * Shows the buttons that format a text, further ones while an image or a table is selected in the editor. A click
 * calls `onPress`. Tab reaches the toolbar once; arrow keys move between its buttons.
 */
export function TextToolbar({ areaId, pressed, onPress }: Props) {
  const t = usePortalMessages().notices.tools
  const [reached, setReached] = useState<ToolButton>('bold')
  const buttons = [
    ...TOOL_BUTTONS,
    ...(pressed?.has('picture') ? (['describe'] as const) : []),
    ...(pressed?.has('table') ? TABLE_TOOLS : []),
  ]
  const stop = buttons.includes(reached) ? reached : 'bold'
  return (
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label={t.label}
      aria-controls={areaId}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) =>
        moveFocus(event, event.currentTarget.querySelectorAll('button'), STEPS)
      }
    >
      {buttons.map((tool) => {
        const Icon = TOOL_ICONS[tool]
        return (
          <Button
            key={tool}
            variant="quiet"
            size="small"
            isIcon
            aria-label={t[tool]}
            title={t[tool]}
            aria-pressed={pressed === undefined || INSERTING.includes(tool) ? undefined : pressed.has(tool)}
            tabIndex={tool === stop ? 0 : -1}
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

/** Path of three lines of text, part of two icons. */
const lines = 'M8.5 5h8M8.5 10h8M8.5 15h8'

/** The icons of the toolbar buttons. */
const TOOL_ICONS = {
  bold: icon(<path strokeWidth="2" d="M6 4h4.8a2.9 2.9 0 0 1 0 5.8H6ZM6 9.8h5.6a3.1 3.1 0 0 1 0 6.2H6Z" />),
  italic: icon(<path d="M8.5 4H14M6 16h5.5M11.5 4l-3 12" />),
  strike: icon(
    <path d="M3.5 10h13M13.5 6.2C13 4.8 11.8 4 10 4 8 4 6.6 5 6.6 6.7c0 .8.3 1.4.8 1.9M6.2 13.4c.4 1.7 1.8 2.6 3.8 2.6 2.2 0 3.6-1 3.6-2.8 0-.5-.1-.9-.3-1.2" />,
  ),
  code: icon(<path d="M7 6l-4 4 4 4M13 6l4 4-4 4" />),
  heading: icon(<path d="M5 4v12M15 4v12M5 10h10" />),
  list: icon(<path d={`${lines}M4.2 5h.1M4.2 10h.1M4.2 15h.1`} />),
  numbers: icon(
    <path d={`${lines}M3.6 3.8l1-.5v3.2M3.4 9h1.8l-1.8 2.4h1.9M3.5 13.7h1.7l-1 1.2c1.5 0 1.4 1.7-.8 1.5`} />,
  ),
  quote: icon(<path d="M4 4v12M8 6h8M8 10h8M8 14h5" />),
  table: icon(<path d="M3.5 4.5h13v11h-13ZM3.5 8.5h13M3.5 12h13M10 4.5v11" />),
  link: icon(
    <path d="M8.5 11.5a3 3 0 0 0 4.3 0l2.6-2.6a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.6 2.6a3 3 0 0 0 4.3 4.3l1-1" />,
  ),
  picture: icon(<path d="M3.5 4.5h13v11h-13ZM3.5 13.5l3.6-3.6 3 3 2.4-2.4 4 4M7.2 7.6h.1" />),
  describe: icon(<path d="M3.5 3.5h13v8.5h-13ZM3.5 10l3-3 2.5 2.5 2-2 4 4M4 15h12M4 17.5h8" />),
  addRow: icon(<path d="M3.5 3.5h13v7h-13ZM3.5 7h13M10 13v5M7.5 15.5h5" />),
  addColumn: icon(<path d="M3.5 3.5h7v13h-7ZM7 3.5v13M13 10h5M15.5 7.5v5" />),
  deleteRow: icon(<path d="M3.5 3.5h13v7h-13ZM3.5 7h13M7.5 15.5h5" />),
  deleteColumn: icon(<path d="M3.5 3.5h7v13h-7ZM7 3.5v13M13 10h5" />),
  deleteTable: icon(<path d="M3.5 4.5h13v11h-13ZM3.5 8.5h13M7.5 10.5l5 4M12.5 10.5l-5 4" />),
} as const satisfies Record<ToolButton, unknown>
