/** What each code of a problem means, why it comes up, and what to do: for `tend explain` and docs/troubleshooting.md. */
import type { Code } from './problem.ts'

type CodeHelp = {
  /** What happened, as a sentence. */
  readonly means: string
  readonly cause: string
  readonly cure: string
}

/** A code that is missing here does not compile. */
export const codeHelp: Readonly<Record<Code, CodeHelp>> = {
  chart_unreadable: {
    means: 'The chart could not be read. Nothing was touched.',
    cause: "The folder has no Chart.yaml, or a file in it can't be opened.",
    cure: 'Name the folder that holds Chart.yaml, and check who may read its files.',
  },
  yaml_error: {
    means: 'A file is not valid YAML. Nothing was touched.',
    cause: 'A wrong indentation, a key that is there twice, or a quote that is not closed.',
    cure: 'Go to the file and line of the message. `tend lint` shows everything that is wrong at once.',
  },
  template_error: {
    means: 'A template could not be executed. Nothing was touched.',
    cause: 'A wrong function, a value that is not set where one is required, or a wrong type.',
    cure: 'Go to the file and line of the message. `tend template` shows what the templates make.',
  },
  values_error: {
    means: 'The values are not usable. Nothing was touched.',
    cause: 'A values file is missing or wrong, or `--set` is not written like key=value.',
    cure: 'Check the values file and each `--set`.',
  },
  cycle: {
    means: 'Resources wait for each other in a circle. Nothing was touched.',
    cause: 'A depends on B and B, perhaps by others, on A.',
    cure: 'Take out one of the dependencies that the message lists.',
  },
  duplicate_name: {
    means: 'Two resources have the same kind and name. Nothing was touched.',
    cause: 'A manifest was copied and its name was left, or two templates make the same one.',
    cure: 'Rename one of the two places that the message names.',
  },
  unknown_kind: {
    means: 'A document has a kind that is not known. Nothing was touched.',
    cause:
      'A typing error in `kind` or `apiVersion`, or a custom resource whose definition is not installed.',
    cure: 'Correct it. `tend schema` lists the kinds of charts; on Kubernetes apply the definition first.',
  },
  host_port_twice: {
    means: 'Two containers want the same port of the host. Nothing was touched.',
    cause: 'The same host port stands in two places.',
    cure: 'Give one of them another port.',
  },
  usage: {
    means: 'The command was written in a way that is not understood.',
    cause: 'A wrong flag, a missing word, or flags that exclude each other.',
    cure: 'Read `tend VERB --help`.',
  },
  not_found: {
    means: 'What was named is not there.',
    cause: 'A typing error, another namespace or instance, or it was removed.',
    cure: 'List what is there: `tend list`, `tend get apps`, `tend fleet list`.',
  },
  store_unusable: {
    means: "The database or the folder of Tend can't be used. Nothing was touched.",
    cause: "The folder can't be written, the disk is full, or a file in it is harmed.",
    cure: 'Check `$TEND_HOME`, its owner and the disk: `tend doctor`. A harmed database may be put aside: only history is lost.',
  },
  would_remove_much: {
    means:
      'The run would remove more than half of an application, and at least ten resources. Nothing was touched.',
    cause: 'Often a wrong folder, branch or values file; sometimes it is meant.',
    cure: 'Look at the plan. If it is meant, add `--allow-mass-delete`.',
  },
  would_remove_all: {
    means: 'The run would remove everything of an application. Nothing was touched.',
    cause:
      'The new version declares nothing: an empty folder, or a condition that is false everywhere.',
    cure: 'Look at the plan. If it is meant, add `--allow-empty`; to remove an application use `tend uninstall`.',
  },
  compose_error: {
    means: 'A Compose file is not valid. Nothing was touched.',
    cause:
      'An unknown key, a wrong type, a variable that is required and not set, or a service that is not there.',
    cure: 'Go to the file and line of the message. `tend compose config` shows the resolved file.',
  },
  unsupported: {
    means: "A field is known, and can't be carried out here.",
    cause:
      'The engine, its version or Tend does not do it. Where leaving it out is safe, it is only a warning.',
    cure: 'Take it out, or use what docs/compose.md and docs/charts.md name instead.',
  },
  denied: {
    means: 'The policy does not allow it. Nothing was touched.',
    cause:
      "A file from a repository asks for something of the host: a privileged container, a bind outside its folder, the engine's socket.",
    cure: 'Take it out of the file. If you trust the repository, allow it in `security` of tend.yaml (docs/security.md).',
  },
  held: {
    means: 'Another run of the same application is going on.',
    cause: 'A second command, or the service, is at work on it; or another set owns the object.',
    cure: 'Wait for it to end. What was killed lets go by itself within seconds.',
  },
  declaration_error: {
    means: "tend.yaml or fleet.yaml is not valid, or can't be carried out.",
    cause:
      'A wrong key or value, two applications of one name, or a setting that needs another one.',
    cure: 'Go to the file and line of the message. `tend schema tend.yaml` has every key for your editor.',
  },
  unknown_field: {
    means: 'A field is not known. The resource was skipped.',
    cause: 'A typing error, or a field of another kind.',
    cure: 'Correct it; the message names the closest known one.',
  },
  wrong_type: {
    means: 'A value has the wrong type. The resource was skipped.',
    cause:
      'A text where a number belongs, a list where a map belongs. `yes` and `08` are texts only in quotes.',
    cure: 'Write the value as the message says.',
  },
  bad_value: {
    means: 'A value is not allowed. The resource was skipped.',
    cause: 'It is outside of what the field takes.',
    cure: 'Use one of the values that the message names.',
  },
  missing_field: {
    means: 'A required field is missing. The resource was skipped.',
    cause: 'It was left out, or a template left it empty.',
    cure: 'Add it. `tend template` shows what the templates made of it.',
  },
  bad_reference: {
    means: 'A resource refers to something that is not there. The resource was skipped.',
    cause:
      'A wrong name, something that another chart declares, or a variable that may not be read.',
    cure: 'Correct the name, declare what is missing, or allow the variable with `--allow-env NAME`.',
  },
  mount_twice: {
    means: 'Two mounts of a container have the same path. The resource was skipped.',
    cause: 'The same path stands twice.',
    cure: 'Mount one of them elsewhere.',
  },
  not_possible_here: {
    means: "It can't be done on this machine or with this engine.",
    cause: 'The engine is on another machine, is too old, runs without root, or lacks a program.',
    cure: 'Do what the message says. `tend doctor` shows what is missing and what that costs.',
  },
  volume_changed: {
    means: "A volume can't be changed and keep its data. Nothing of it was touched.",
    cause: 'Its driver, options or kind changed.',
    cure: 'Give the volume a new name and move the data. `--recreate-volumes` removes the data.',
  },
  needs_failed: {
    means: 'A resource was not begun because one that it needs failed.',
    cause: 'The other one is named in the message.',
    cure: 'Mend the other one; then run again.',
  },
  unreachable: {
    means: 'The engine, cluster, repository or registry did not answer.',
    cause: 'It does not run, the address is wrong, or the network is away.',
    cure: 'Try `tend doctor`. For Podman: `systemctl --user enable --now podman.socket`.',
  },
  name_taken: {
    means: 'Something of that name is there already and was not made by Tend. It was left alone.',
    cause: 'It was made by hand, by Compose, or by another instance of Tend.',
    cure: 'Rename one of the two, remove the other one yourself, or take a stack over with `tend up --adopt`.',
  },
  port_taken: {
    means: 'A port of the host is in use.',
    cause: 'Another program or container listens there.',
    cure: 'Find it with `ss -ltnp`; stop it or choose another port.',
  },
  image_not_found: {
    means: 'An image is neither here nor in its registry.',
    cause: 'A typing error in name or tag, or a registry that was left out.',
    cure: 'Try `podman pull IMAGE` or `docker pull IMAGE`. Images of this machine are named localhost/….',
  },
  image_denied: {
    means: 'The registry refused to give an image.',
    cause: 'It is private, or the login is missing or old.',
    cure: 'Log in as the user that Tend runs as: `podman login` or `docker login`.',
  },
  gone: {
    means: 'Something was there and is there no more.',
    cause: 'It was removed by hand while Tend was at work, or data went with it.',
    cure: 'Run again. If it held data, put the data back first.',
  },
  in_use: {
    means: 'It could not be removed because something else uses it.',
    cause:
      "A container that is not Tend's uses the volume, network or pod; or a finalizer holds an object.",
    cure: 'Stop the one that the message names, or remove the finalizer if its controller is gone.',
  },
  conflict: {
    means: 'Somebody else changed the same thing, or owns the same field.',
    cause:
      'Two controllers write one object, an immutable object would change, or two changes met.',
    cure: 'Let only one of them have the field. Immutable objects need a new name.',
  },
  api_error: {
    means: 'The engine or cluster answered with an error.',
    cause: 'The message has its words.',
    cure: 'Read them; `--verbose` shows every attempt.',
  },
  timed_out: {
    means: 'It took longer than allowed.',
    cause: 'A slow machine or network, or something that hangs.',
    cure: 'Look at logs with `tend logs`; allow more with `--timeout`.',
  },
  unhealthy: {
    means:
      'It started and did not get healthy in time. A changed application was put back to its last good run.',
    cause: 'Its health check fails, it ends again and again, or its pods do not get ready.',
    cure: 'Look at the last log in the message, and `tend logs NAME CONTAINER --run N`.',
  },
  exited: {
    means: 'A container or a command ended with an error.',
    cause: 'The program itself failed: the message has its exit code and its last lines.',
    cure: 'Look at `tend logs`, mend it, and run again.',
  },
  unknown_state: {
    means: 'It could not be seen how something stands, so nothing was done about it.',
    cause: 'A look at it failed. Tend never creates or removes on a guess.',
    cure: 'Mend what the message names (often the connection); the next run goes on.',
  },
  git_error: {
    means: 'Git could not give the commit.',
    cause:
      'A wrong address or branch, a missing right, an unknown host key, or a repository that is away.',
    cure: 'Try `git ls-remote ADDRESS` as the user of the service, with the same token or key.',
  },
  unauthorized: {
    means: 'The service, cluster or registry does not know who asks.',
    cause: 'No token, a wrong one, or one that has expired.',
    cure: 'Give one: `TEND_TOKEN`, or make one with `tend token create`.',
  },
  forbidden: {
    means: 'Whoever asks may not do that.',
    cause:
      'The role of the token, or the rights of the account in the cluster, do not reach so far.',
    cure: 'Use a token with the role; on Kubernetes give the account the right that the message names.',
  },
  too_large: {
    means: 'Something is larger than allowed.',
    cause: 'A request, a file or what a repository makes of it exceeds the limit in the message.',
    cure: 'Make it smaller, or split the application.',
  },
  too_many: {
    means: 'Too many requests came in too short a time.',
    cause: 'A script asks in a loop, or wrong tokens were tried again and again.',
    cure: 'Wait for the seconds in the message. Follow the event stream in place of asking.',
  },
  not_ready: {
    means:
      'The service has just begun, or a source was not read yet, so it is not known what this token may use.',
    cause: 'The token is bound by labels, and labels stand in what is still being read.',
    cure: 'Ask again in a second. If it stays so, `tend get sources` with a token that is not bound says which source can not be read.',
  },
  suspended: {
    means: 'The application is suspended, so nothing was done.',
    cause: 'Somebody suspended it.',
    cure: '`tend resume NAME`.',
  },
  interrupted: {
    means: 'It was interrupted. What was under way was brought to an end.',
    cause: 'Ctrl-C, or a stop of the service.',
    cure: 'Run again: the next run goes on from what is there.',
  },
  superseded: {
    means:
      'The run ended before what it made was healthy, because something newer was to be applied.',
    cause: 'A newer commit came, or the application was declared otherwise, while the run waited.',
    cure: 'Nothing: the next run has begun, and goes on from what is there.',
  },
  bug: {
    means: 'This is a fault of Tend itself.',
    cause: 'Something that Tend did not think of.',
    cure: 'Run it again with `--verbose`, and report what it prints, with `tend version`.',
  },
}
