import type { ReactElement, ReactNode } from 'react'

/** Properties of every icon. Icons are decoration: the text next to them or a label must say the same. */
interface IconProps {
  /** Width and height in pixels, 20 by default. */
  size?: number | undefined
  className?: string | undefined
}

/** An icon component, for props. */
export type Icon = (props: IconProps) => ReactElement

/** Creates an icon component from a drawing of 20 by 20 units. */
export function icon(drawing: ReactNode): Icon {
  return function Icon({ size = 20, className }) {
    return (
      <svg
        aria-hidden="true"
        className={className}
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {drawing}
      </svg>
    )
  }
}

/* The icons of the login page. All others are in icons.tsx, which also exports these. */

export const ChevronDownIcon = icon(<path d="m5 7.5 5 5 5-5" />)
/** An open eye, for the button that shows a password. */
export const EyeIcon = icon(
  <>
    <path d="M2 10s2.8-5.2 8-5.2S18 10 18 10s-2.8 5.2-8 5.2S2 10 2 10Z" />
    <circle cx="10" cy="10" r="2.4" />
  </>,
)
/** A crossed-out eye, for the button that hides a password. */
export const EyeOffIcon = icon(
  <path d="M8.1 5c.6-.15 1.25-.2 1.9-.2 5.2 0 8 5.2 8 5.2s-.8 1.5-2.4 2.9M12 14.9c-.6.2-1.3.3-2 .3-5.2 0-8-5.2-8-5.2s1-1.9 3-3.4M8.3 8.3a2.4 2.4 0 0 0 3.4 3.4M3 3l14 14" />,
)
/** A sun, for the light theme. */
export const SunIcon = icon(
  <>
    <circle cx="10" cy="10" r="3.3" />
    <path d="M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.35 4.35l1.1 1.1M14.55 14.55l1.1 1.1M4.35 15.65l1.1-1.1M14.55 5.45l1.1-1.1" />
  </>,
)
/** A moon, for the dark theme. */
export const MoonIcon = icon(<path d="M16.8 11.8A7 7 0 1 1 8.2 3.2a5.6 5.6 0 0 0 8.6 8.6Z" />)
/** A monitor, for the theme of the operating system. */
export const ScreenIcon = icon(
  <>
    <rect x="2.5" y="3.5" width="15" height="10" rx="1.5" />
    <path d="M7 17h6M10 13.5V17" />
  </>,
)
export const ArrowUpIcon = icon(<path d="M10 16.5v-13M4.8 8.7 10 3.5l5.2 5.2" />)
