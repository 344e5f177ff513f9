import { icon } from './core-icons.tsx'

export * from './core-icons.tsx'

/** The circle of round icons. */
const ring = <circle cx="10" cy="10" r="7.5" />

/** A circled exclamation mark. */
export const ExclamationIcon = icon(
  <>
    {ring}
    <path d="M10 6v4.5M10 13.6v.1" />
  </>,
)
export const KeyIcon = icon(
  <>
    <circle cx="6.5" cy="13.5" r="3.5" />
    <path d="m9 11 7.5-7.5M13 7l2.5 2.5" />
  </>,
)
export const SearchIcon = icon(
  <>
    <circle cx="9" cy="9" r="5.5" />
    <path d="m13.2 13.2 3.8 3.8" />
  </>,
)
/** A square with an arrow out of it: a link to another page. */
export const PageChangeIcon = icon(
  <path d="M8 4H5a1.5 1.5 0 0 0-1.5 1.5v9.5A1.5 1.5 0 0 0 5 16.5h9.5A1.5 1.5 0 0 0 16 15v-3M11.5 3.5h5v5M16.2 3.8 9.5 10.5" />,
)
export const ChevronLeftIcon = icon(<path d="m12.5 5-5 5 5 5" />)
export const ChevronRightIcon = icon(<path d="m7.5 5 5 5-5 5" />)
export const FirstIcon = icon(<path d="m14.5 5-5 5 5 5M5.5 5v10" />)
export const LastIcon = icon(<path d="m5.5 5 5 5-5 5M14.5 5v10" />)
export const CalendarIcon = icon(
  <>
    <rect x="3" y="4.5" width="14" height="12.5" rx="1.5" />
    <path d="M3 8.5h14M6.8 2.8v3.2M13.2 2.8v3.2" />
  </>,
)
export const UserIcon = icon(
  <>
    <circle cx="10" cy="6.8" r="3.3" />
    <path d="M3.5 17c.7-3.2 3.3-5 6.5-5s5.8 1.8 6.5 5" />
  </>,
)
/** Two users, for the audience of a notice. */
export const AudienceIcon = icon(
  <>
    <circle cx="7.5" cy="7" r="2.8" />
    <path d="M2.2 16c.5-2.8 2.6-4.3 5.3-4.3s4.8 1.5 5.3 4.3M12.4 4.5a2.6 2.6 0 0 1 0 5M14.8 11.9c1.6.6 2.7 2 3 4.1" />
  </>,
)
/** A thumb up, for the reaction to a notice. */
export const ThumbIcon = icon(
  <path d="M6.5 9 9.6 3.2c.3-.5 1.9-.3 1.9 1.2 0 1-.5 2.9-.5 2.9h4.2c1.1 0 1.9 1 1.6 2.1l-1.3 5.4c-.2.8-.8 1.2-1.6 1.2H6.5V9ZM3 9h3.5v7H3V9Z" />,
)
export const ArrowDownIcon = icon(<path d="M10 3.5v13M4.8 11.3 10 16.5l5.2-5.2" />)
export const SortIcon = icon(<path d="m6.5 8 3.5-3.8L13.5 8M6.5 12l3.5 3.8 3.5-3.8" />)
export const MenuIcon = icon(<path d="M3 5.5h14M3 10h14M3 14.5h14" />)
/** Four lines, for the switch of the row height. */
export const RowsIcon = icon(<path d="M3 4.5h14M3 8.2h14M3 11.8h14M3 15.5h14" />)
export const ColumnsIcon = icon(
  <>
    <rect x="3" y="3.5" width="14" height="13" rx="1.5" />
    <path d="M7.7 3.5v13M12.3 3.5v13" />
  </>,
)
export const DownloadIcon = icon(<path d="M10 3v9.5M5.8 8.6l4.2 4.2 4.2-4.2M3.5 16.5h13" />)
export const UploadIcon = icon(<path d="M10 12.8V3.3M5.8 7.2 10 3l4.2 4.2M3.5 16.5h13" />)
export const FileIcon = icon(
  <path d="M11.5 2.5H6A1.5 1.5 0 0 0 4.5 4v12A1.5 1.5 0 0 0 6 17.5h8a1.5 1.5 0 0 0 1.5-1.5V6.5l-4-4Zm0 0v4h4" />,
)
/** A pin, for a pinned notice. */
export const PinIcon = icon(
  <path d="m12 2.8 5.2 5.2-3 .9-3 3 .2 3.2-1.5 1.5-7-7 1.5-1.5 3.2.2 3-3 1.4-2.5ZM6.3 13.7 2.8 17.2" />,
)
export const WarningIcon = icon(
  <path d="M8.7 3.5 2.2 14.7A1.5 1.5 0 0 0 3.5 17h13a1.5 1.5 0 0 0 1.3-2.3L11.3 3.5a1.5 1.5 0 0 0-2.6 0ZM10 7.8v3.7M10 14.2v.1" />,
)
export const InfoIcon = icon(
  <>
    {ring}
    <path d="M10 9.5V14M10 6.4v.1" />
  </>,
)
export const CheckIcon = icon(<path d="m4 10.5 4 4 8-9" />)
export const CheckCircleIcon = icon(
  <>
    {ring}
    <path d="m6.5 10.3 2.5 2.5 4.5-5" />
  </>,
)
export const CloseIcon = icon(<path d="m5 5 10 10M15 5 5 15" />)
export const LogoutIcon = icon(
  <path d="M8 3.5H5A1.5 1.5 0 0 0 3.5 5v10A1.5 1.5 0 0 0 5 16.5h3M8.5 10H17M13.5 6.5 17 10l-3.5 3.5" />,
)
export const BellIcon = icon(
  <>
    <path d="M4.5 14.5c1.2-1.2 1.5-2.4 1.5-5a4 4 0 0 1 8 0c0 2.6.3 3.8 1.5 5z" />
    <path d="M8.3 17a1.9 1.9 0 0 0 3.4 0M10 3.2v2" />
  </>,
)
