/** The first page of somebody who has declared nothing yet, and how one more is declared: a form that writes the file, or the lines to add. */
import { useEffect, useId, useState } from 'preact/hooks'
import { follow } from '../../api/stream.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import {
  addedLines,
  declarationText,
  intervalHint,
  nameHint,
  type FirstApp,
} from './declaration-text.ts'

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

/** `isFirst`: nothing is declared yet, and a whole file is written; otherwise only what is added to the file that is there. */
export function FirstUse({ isFirst }: { readonly isFirst: boolean }) {
  const [app, setApp] = useState(usual)
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
        Tend keeps running what a file declares. Fill in where the application is;{' '}
        {isFirst ? 'the file is written' : 'the lines to add to the file are written'} as you type.
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
          <Field label="Name" value={app.name} set={set('name')} fault={nameHint(app.name)} />
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
            <Field
              label="Ask every"
              value={app.interval}
              set={set('interval')}
              fault={intervalHint(app.interval)}
            />
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
        {isFirst ? <WholeFile app={app} /> : <Added app={app} />}
      </div>
    </div>
  )
}

function WholeFile({ app }: { readonly app: FirstApp }) {
  const text = declarationText(app)
  return (
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
          Start with it: <code>{serve(app)}</code>. A service that already reads this file takes the
          change over by itself.
        </li>
        <li>This page shows the application as soon as its source was read.</li>
      </ol>
    </section>
  )
}

function Added({ app }: { readonly app: FirstApp }) {
  const { sources, apps } = addedLines(app)
  return (
    <section aria-labelledby="file-title">
      <div class="page-head">
        <h2 id="file-title">Add to tend.yaml</h2>
      </div>
      <p class="small">
        Leave what is in the file: what it no longer declares is removed from where it runs.
      </p>
      <Lines under="sources" text={sources} />
      <Lines under="apps" text={apps} />
      <ol class="steps">
        <li>
          Add each block at the end of what is under its key, in the tend.yaml that the service
          reads. A key that the file does not have yet goes on a line of its own before the block.
        </li>
        <li>
          If its repository is a source already, leave the first block out and write that
          source&apos;s name after <code>source:</code>. Applications that name no source need one
          as soon as there are two.
        </li>
        <li>
          The service takes the change over by itself, and the Overview shows the application as
          soon as its source was read.
        </li>
      </ol>
    </section>
  )
}

function Lines({ under, text }: { readonly under: string; readonly text: string }) {
  return (
    <>
      <div class="page-head">
        <h3>
          Under <code>{under}:</code>
        </h3>
        <span class="space" />
        <CopyButton text={text} label={`Copy what goes under ${under}`} />
      </div>
      <pre class="yaml" tabIndex={0} aria-label={`Under ${under}`}>
        {text}
      </pre>
    </>
  )
}

function serve({ kind }: FirstApp): string {
  return `tend serve${kind === 'kustomization' ? ' --kube' : ''} -c tend.yaml`
}

function Field({
  label,
  value,
  set,
  hint,
  fault,
}: {
  readonly label: string
  readonly value: string
  readonly set: (event: { readonly currentTarget: { readonly value: string } }) => void
  readonly hint?: string
  readonly fault?: string | undefined
}) {
  const id = useId()
  return (
    <label class="labelled">
      {label}
      <input
        class="field"
        value={value}
        onInput={set}
        placeholder={hint}
        spellcheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : id}
      />
      {fault !== undefined && (
        <span id={id} class="small tone-warn">
          {fault}
        </span>
      )}
    </label>
  )
}
