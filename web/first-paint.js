// Runs before the page is painted, so that nobody who chose dark sees a white flash. The choice is made and
// kept by theme.ts. The build writes it into the document, and the server names its hash in the content security policy.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
