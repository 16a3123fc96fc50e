/** The first page of somebody who has declared nothing yet: what to do, with a form that writes the file. */
import { useEffect, useState } from 'preact/hooks'
import { follow } from '../../api/stream.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { declarationText, type FirstApp } from './declaration-text.ts'

const kinds: readonly (readonly [string, string])[] = [
  ['stack', 'Stack: Compose, on Docker or Podman'],
  ['chart', 'Chart: manifests, on Podman'],
  ['kustomization', 'Kustomization: on a Kubernetes cluster'],
]

const usual: FirstApp = {
  kind: 'stack',
  name: 'web',
  from: 'https://git.example.org/team/site.git',
  ref: 'main',
  path: 'web',
  target: '',
  interval: '1m',
  drift: 'revert',
}

/** `isFirst`: nothing is declared yet; otherwise somebody came here to declare one more. */
export function FirstUse({ isFirst }: { readonly isFirst: boolean }) {
  const [app, setApp] = useState(usual)
  const text = declarationText(app)
  useEffect(() => follow({}), [])
  const set =
    (name: keyof FirstApp) => (event: { readonly currentTarget: { readonly value: string } }) =>
      setApp((old) => ({ ...old, [name]: event.currentTarget.value }))
  return (
    <div class="first-use">
      <div class="page-head">
        <h1>{isFirst ? 'Nothing is declared yet' : 'Declare an application'}</h1>
      </div>
      <p class="muted">
        Tend keeps running what a file declares. Fill in where the application is; the file is
        written as you type.
      </p>
      <div class="first-use-columns">
        <form
          class="panel"
          onSubmit={(event) => event.preventDefault()}
          aria-label="The application"
        >
          <label class="labelled">
            Kind
            <select class="field" value={app.kind} onChange={set('kind')}>
              {kinds.map(([kind, words]) => (
                <option key={kind} value={kind}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <Field label="Name" value={app.name} set={set('name')} />
          <Field label="Git address, or a folder" value={app.from} set={set('from')} />
          <div class="two">
            <Field label="Branch, tag or commit" value={app.ref} set={set('ref')} />
            <Field label="Folder in it" value={app.path} set={set('path')} />
          </div>
          <div class="two">
            <Field
              label="Target (empty: this machine)"
              value={app.target}
              set={set('target')}
              hint="unix:///run/podman/podman.sock"
            />
            <Field label="Ask every" value={app.interval} set={set('interval')} />
          </div>
          <label class="labelled">
            When what runs was changed by hand
            <select class="field" value={app.drift} onChange={set('drift')}>
              <option value="revert">Put it right</option>
              <option value="flag">Say so, and wait</option>
              <option value="ignore">Leave it</option>
            </select>
          </label>
        </form>
        <section aria-labelledby="file-title">
          <div class="page-head">
            <h2 id="file-title">tend.yaml</h2>
            <span class="space" />
            <CopyButton text={text} label="Copy" />
            <a
              class="button"
              download="tend.yaml"
              href={`data:text/yaml;charset=utf-8,${encodeURIComponent(text)}`}
            >
              Download
            </a>
          </div>
          <pre class="yaml" tabIndex={0} aria-label="tend.yaml">
            {text}
          </pre>
          <ol class="steps">
            <li>Put the file where the service runs.</li>
            <li>
              Start with it:{' '}
              <code>tend serve{app.kind === 'kustomization' ? ' --kube' : ''} -c tend.yaml</code>. A
              service that already reads this file takes the change over by itself.
            </li>
            <li>This page shows the application as soon as its source was read.</li>
          </ol>
        </section>
      </div>
    </div>
  )
}

function Field({
  label,
  value,
  set,
  hint,
}: {
  readonly label: string
  readonly value: string
  readonly set: (event: { readonly currentTarget: { readonly value: string } }) => void
  readonly hint?: string
}) {
  return (
    <label class="labelled">
      {label}
      <input class="field" value={value} onInput={set} placeholder={hint} spellcheck={false} />
    </label>
  )
}
