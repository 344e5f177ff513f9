/**
 * Stores the width of the window's scrollbar in the CSS variable `--scrollbar`, and updates it on resize. It
 * cannot be measured while a dialog hides the scrollbar.
 */
export function measureScrollbar(): void {
  const root = document.documentElement
  const measure = () => {
    if (root.style.overflow === 'hidden') return
    root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
  }
  measure()
  window.addEventListener('resize', measure)
}
