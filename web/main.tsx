import './zod.ts'
import './ui/tokens.css'
import './ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pendingConfirmation } from './api/reauthentication.ts'
import { loadConfig } from './api/config.ts'
import { queryClient } from './api/query.ts'
import { connectErrorHandling } from './api/error-handling.ts'
import { onLanguageChange, restoreLanguage } from './language.tsx'
import { returnTarget, returnStateFor } from './routes/return-to.ts'
import { router } from './routes/router.tsx'
import { onPersonChange, onSessionChangedElsewhere } from './session.ts'
import { restoreTheme } from './theme.ts'
import { dialogs } from './ui/dialogs.ts'
import { measureScrollbar } from './ui/scrollbar.ts'

restoreTheme()
measureScrollbar()
connectErrorHandling({
  alert: (message) => dialogs.alert({ message }),
  goTo: async (path, from) => {
    const { location } = router.state
    if (location.pathname === path) return
    const state = path === '/' || path === '/main' ? {} : returnStateFor(location, from)
    // A page that may not be opened is no step to come back to.
    await router.navigate({ to: path, replace: path === '/', state })
  },
})
// The server says menus, code names and refusals in words.
onLanguageChange(() => void queryClient.invalidateQueries())
onPersonChange(() => {
  pendingConfirmation()?.finish(false)
  queryClient.clear()
  sessionStorage.clear()
})
onSessionChangedElsewhere((userId, before) => {
  const { location } = router.state
  const back = before === null ? {} : returnStateFor(location, before)
  return router.navigate(
    userId === null ? { to: '/login', replace: true, state: back } : returnTarget(location.state, userId),
  )
})

// Without the configuration the page goes on; a screen that needs it asks again.
await Promise.all([loadConfig().catch(() => undefined), restoreLanguage()])

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
