/** Keeps the width of the window's scrollbar in a token: it cannot be asked for while a dialog has it away. */
export function measureScrollbar(): void {
  const root = document.documentElement
  const measure = () => {
    if (root.style.overflow === 'hidden') return
    root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
  }
  measure()
  window.addEventListener('resize', measure)
}
