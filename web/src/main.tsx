/** The dashboard begins here. */
import { render } from 'preact'
import { Root } from './pages/root.tsx'
import { followLinks } from './state/address.ts'
import { keepFocus } from './state/focus.ts'
import { setTheme, theme } from './state/theme.ts'

setTheme(theme.value)
followLinks()
keepFocus()
const place = document.querySelector('#app')
if (place !== null) render(<Root />, place)
