// Runs before the page is painted, so that nobody who chose dark sees a white flash. The choice is made and
// kept by theme.ts; this is a file of its own because the content security policy refuses inline scripts.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
