// Runs before the page is painted, so that a user who chose the dark theme sees no white flash. theme.ts makes and stores the
// choice. The build writes this into the document, and the server names its hash in the content security policy.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
