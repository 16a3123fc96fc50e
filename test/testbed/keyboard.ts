/** A page by its keyboard alone. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** What has the focus, as a screen reader says it; nothing when only the page itself has it. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(() => { const it = document.activeElement; if (it === document.body) return ''; return (it?.getAttribute('aria-label') ?? it?.labels?.[0]?.innerText ?? it?.innerText ?? '').trim() })()`,
  )
}

/** Presses Tab until something of this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp, selector = '*'): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < 120; presses += 1) {
    const now = await focused(page)
    seen.push(now)
    const isMeant = typeof name === 'string' ? now === name : name.test(now)
    const fits = await page.evaluate<boolean>(
      `document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`,
    )
    if (isMeant && fits) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab never came to ${String(name)}: ${seen.join(' | ')}`)
}
