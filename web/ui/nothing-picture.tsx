/** An empty tray with a sheet that has nothing on it: where a list has no rows. */
export function NothingPicture() {
  return (
    <svg viewBox="0 0 96 64" width="100%" height="100%" fill="none" strokeWidth="2" strokeLinejoin="round">
      <ellipse cx="48" cy="58" rx="36" ry="4" fill="var(--line)" />
      <path d="M30 6h28l10 10v30H30z" fill="var(--surface)" stroke="var(--line-strong)" />
      <path d="M58 6v10h10" fill="var(--sunken)" stroke="var(--line-strong)" />
      <path d="M38 20h12M38 27h20" stroke="var(--line-button)" strokeLinecap="round" />
      <path
        d="M16 38h16l4 8h24l4-8h16v14a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4z"
        fill="var(--hover)"
        stroke="var(--line-strong)"
      />
    </svg>
  )
}
