/** What `develop` may hold, and the hooks that run in a container. */
import {
  command,
  flag,
  flagOrText,
  listOf,
  oneOf,
  orNull,
  pairs,
  record,
  text,
  textOrSet,
} from './schema-words.ts'

export const hook = record(
  { command, environment: pairs, privileged: flagOrText, user: text, working_dir: text },
  { required: ['command'] },
)

/** Run in a container of its own before those of the service. */
export const startHook = record({
  command,
  environment: pairs,
  image: text,
  per_replica: flagOrText,
  privileged: flagOrText,
  user: text,
  working_dir: text,
})

export const develop = orNull(
  record({
    watch: listOf(
      record(
        {
          action: oneOf('rebuild', 'sync', 'restart', 'sync+restart', 'sync+exec'),
          exec: hook,
          ignore: textOrSet,
          include: textOrSet,
          initial_sync: flag,
          path: text,
          target: text,
        },
        { required: ['path', 'action'] },
      ),
    ),
  }),
)
