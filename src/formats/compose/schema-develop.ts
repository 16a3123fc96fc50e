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
