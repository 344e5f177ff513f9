/** Draws a signpost that points both ways, for a URL that does not exist. */
export function LostPicture() {
  return (
    <svg viewBox="0 0 160 120" width="100%" height="100%" fill="none" strokeWidth="2" strokeLinejoin="round">
      <ellipse cx="80" cy="112" rx="56" ry="5" fill="var(--line)" />
      <path d="M76 14h8v96h-8z" fill="var(--line-button)" />
      <path d="M48 22h60l14 12-14 12H48z" fill="var(--surface)" stroke="var(--line-strong)" />
      <path d="M112 54H56L42 66l14 12h56z" fill="var(--sunken)" stroke="var(--line-strong)" />
      <path d="M60 34h34M64 66h34" stroke="var(--line-strong)" strokeLinecap="round" />
      <path
        d="M30 110c0-8 4-12 10-14M128 110c0-6-3-9-8-11"
        stroke="var(--line-strong)"
        strokeLinecap="round"
      />
    </svg>
  )
}
