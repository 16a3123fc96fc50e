/** Who looks at the page, and what they may do. */
import { computed, signal } from '@preact/signals'
import { api, type Me } from '../api/client.ts'
import { isLoginNeeded, troubleIn, type Trouble } from '../api/request.ts'

export const me = signal<Me | undefined>(undefined)
/** Why the link of `tend login` logged nobody in. */
export const linkTrouble = signal<Trouble | undefined>(undefined)
export const mayChange = computed(() => me.value !== undefined && me.value.role !== 'read')

/** Remembered in this browser until somebody logs out: who was logged in, so that a login that ended can be told from none. */
const kept = 'tend-login'

/** Who was logged in here, where that ended without anybody logging out. */
export function endedLogin(): string | undefined {
  return localStorage.getItem(kept) ?? undefined
}

const link = /^#login=([\w-]+)$/

export function hasCode(): boolean {
  return link.test(location.hash)
}

/** What `tend login` put behind the address; it works once, so it is taken out of the address at once. */
function codeInAddress(): string | undefined {
  const code = link.exec(location.hash)?.[1]
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}

export async function begin(): Promise<void> {
  const code = codeInAddress()
  if (code !== undefined) {
    linkTrouble.value = undefined
    // whoever is logged in stays who they are: a link from elsewhere changes nothing
    const isKnown = await api.me().then(
      () => true,
      () => false,
    )
    if (!isKnown) {
      await api.loginWithCode(code).catch((thrown: unknown) => {
        linkTrouble.value = troubleIn(thrown)
        throw thrown
      })
    }
  }
  me.value = await api.me()
  isLoginNeeded.value = false
  if (me.value.kind !== 'anybody') localStorage.setItem(kept, me.value.name)
}

export async function logIn(token: string): Promise<void> {
  await api.login(token)
  await begin()
}

export async function logOut(): Promise<void> {
  await api.logout()
  localStorage.removeItem(kept)
  me.value = undefined
  isLoginNeeded.value = true
}
