/** `develop`, and the hooks that run in a container. */
import { textAsList } from '../canonical/canonical-forms.ts'
import { command, environment, flag, text, textSet } from './leaves.ts'
import * as rule from './common-rules.ts'
import { always, listOf, orNull, short, struct, written } from './shape.ts'

export const hook = struct(
  {
    command: always(command),
    user: text,
    privileged: flag,
    working_dir: text,
    environment,
  },
  { required: ['command'] },
)

/** Run in a container of its own before those of the service. */
export const startHook = struct({
  command: always(command),
  image: text,
  user: text,
  privileged: flag,
  working_dir: text,
  environment,
  per_replica: flag,
})

const patterns = short(rule.text, textAsList, textSet)

const watch = struct(
  {
    path: always(text),
    action: always(
      written(rule.oneOf('rebuild', 'sync', 'restart', 'sync+restart', 'sync+exec'), text),
    ),
    target: text,
    exec: always(hook),
    include: patterns,
    ignore: patterns,
    initial_sync: written(rule.flag, flag),
  },
  { required: ['path', 'action'] },
)

export const develop = orNull(struct({ watch: listOf(watch) }))
