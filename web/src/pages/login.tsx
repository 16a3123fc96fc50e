/** The login: a token, or the provider of one's own house. */
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { troubleIn, type Trouble } from '../api/request.ts'
import { close } from '../api/stream.ts'
import { Notice, TroubleNotice } from '../parts/notice.tsx'
import { useAsked } from '../state/asked.ts'
import { endedLogin, linkTrouble, logIn } from '../state/session.ts'

export function Login() {
  const ways = useAsked(() => api.loginWays(), [])
  const [token, setToken] = useState('')
  const [own, setTrouble] = useState<Trouble>()
  const trouble = own ?? wordsForLink(linkTrouble.value)
  const ended = trouble === undefined ? endedLogin() : undefined
  const [isBusy, setBusy] = useState(false)
  const provider = ways.answer?.provider
  useEffect(close, [])

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    // not by shutting the button: one that is shut loses the focus
    if (isBusy) return
    setBusy(true)
    setTrouble(undefined)
    try {
      await logIn(token.trim())
    } catch (thrown) {
      setTrouble(wordsFor(troubleIn(thrown)))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main class="login" id="content">
      <div class="panel">
        <div class="brand">
          <img src="/icon.svg" alt="" />
          <h1>Log in to Tend</h1>
        </div>
        {ended !== undefined && <Ended name={ended} />}
        {provider !== undefined && (
          <>
            <a
              class="button primary"
              href={`${provider}?to=${encodeURIComponent(location.pathname + location.search)}`}
            >
              Log in with your organisation
            </a>
            <div class="or">or with a token</div>
          </>
        )}
        <form onSubmit={(event) => void submit(event)} style={{ display: 'grid', gap: '12px' }}>
          <label class="labelled">
            Token
            <input
              class="field"
              type="password"
              name="token"
              autocomplete="current-password"
              required
              value={token}
              onInput={({ currentTarget }) => setToken(currentTarget.value)}
            />
          </label>
          {trouble !== undefined && <TroubleNotice trouble={trouble} />}
          <button
            type="submit"
            class={provider === undefined ? 'button primary' : 'button'}
            disabled={token.trim() === ''}
          >
            Log in
          </button>
        </form>
        <p class="small muted">
          On the machine of the service: <code>tend token create --role sync</code> makes a token,
          and <code>tend login</code> opens this page without one.
        </p>
      </div>
    </main>
  )
}

/** Why the page that was there a moment ago is gone, and the shortest way back to it. */
function Ended({ name }: { readonly name: string }) {
  return (
    <Notice tone="info" icon="lock">
      <p>Your login as {name} has ended: its time is over, or the service knows it no more.</p>
      <p class="small">
        One that <code>tend login</code> made ends whenever the service restarts. Type{' '}
        <code>tend login</code> on its machine again, or log in with a token: you come back to this
        page.
      </p>
    </Notice>
  )
}

function wordsForLink(trouble: Trouble | undefined): Trouble | undefined {
  if (trouble?.status !== 401) return trouble
  return {
    ...trouble,
    detail: 'This link was used already, or is too old.',
    suggestion: 'tend login makes another one.',
  }
}

function wordsFor(trouble: Trouble): Trouble {
  if (trouble.status !== 401) return trouble
  return {
    ...trouble,
    detail: 'This token is not known here, or its time is over.',
    suggestion: 'tend token list shows which there are; tend token create makes a new one.',
  }
}
