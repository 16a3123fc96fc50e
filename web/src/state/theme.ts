/** Light, dark, or as the system has it; remembered in this browser. */
import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const key = 'tend-theme'

export const theme = signal<Theme>(kept())

export function setTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') {
    localStorage.removeItem(key)
    delete document.documentElement.dataset['theme']
    return
  }
  localStorage.setItem(key, chosen)
  document.documentElement.dataset['theme'] = chosen
}

export function isDark(): boolean {
  if (theme.value !== 'system') return theme.value === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}

function kept(): Theme {
  const text = typeof localStorage === 'undefined' ? null : localStorage.getItem(key)
  return text === 'light' || text === 'dark' ? text : 'system'
}
