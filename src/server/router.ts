/** Finds the route of a path: whole paths at once, others segment by segment. */
import type { Method, Route } from './route.ts'

type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Texts }
  /** The path is known, the method is not: what it allows. */
  | { readonly kind: 'methods'; readonly allow: string; readonly errors: Route['errors'] }
  | { readonly kind: 'nothing' }

type Texts = Readonly<Record<string, string>>

type PathRoutes = {
  readonly segments: readonly string[]
  readonly methods: Partial<Record<Method, Route>>
}

export type Router = { find(method: string, path: string): RouteMatch }

export function routerOf(routes: readonly Route[]): Router {
  const whole = new Map<string, PathRoutes>()
  const parted: PathRoutes[] = []
  for (const route of routes) placeOf(route, whole, parted).methods[route.method] = route
  return {
    find(method, path) {
      const exact = whole.get(path)
      if (exact !== undefined) return among(exact, method, {})
      const segments = path.split('/')
      for (const place of parted) {
        const params = matched(place.segments, segments)
        if (params !== undefined) return among(place, method, params)
      }
      return { kind: 'nothing' }
    },
  }
}

function placeOf(route: Route, whole: Map<string, PathRoutes>, parted: PathRoutes[]): PathRoutes {
  const segments = route.path.split('/')
  const isParted = route.path.includes('{')
  const known = isParted
    ? parted.find((place) => place.segments.join('/') === route.path)
    : whole.get(route.path)
  if (known !== undefined) return known
  const place: PathRoutes = { segments, methods: {} }
  if (isParted) parted.push(place)
  else whole.set(route.path, place)
  return place
}

function among({ methods }: PathRoutes, method: string, params: Texts): RouteMatch {
  const route = method === 'HEAD' ? methods.GET : own(methods, method)
  if (route !== undefined) return { kind: 'route', route, params }
  const known = Object.keys(methods)
  const all = known.includes('GET') ? [...known, 'HEAD'] : known
  const errors = Object.values(methods)[0]?.errors ?? 'problem'
  return { kind: 'methods', allow: [...all, 'OPTIONS'].toSorted().join(', '), errors }
}

function own(methods: PathRoutes['methods'], method: string): Route | undefined {
  switch (method) {
    case 'GET':
    case 'POST':
    case 'PUT':
    case 'DELETE':
      return methods[method]
    default:
      return undefined
  }
}

/** The values of `{name}`, decoded; undefined when it is another path, or one that cannot be decoded. */
function matched(pattern: readonly string[], segments: readonly string[]): Texts | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    if (part.endsWith('*}')) {
      const rest = decoded(segments.slice(index).join('/'))
      if (rest === undefined || segments.length <= index) return undefined
      params[part.slice(1, -2)] = rest
      return params
    }
    const segment = segments[index]
    if (segment === undefined) return undefined
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined
      continue
    }
    const value = decoded(segment)
    if (value === undefined || value === '') return undefined
    params[part.slice(1, -1)] = value
  }
  return segments.length === pattern.length ? params : undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // no route has such a path
    return undefined
  }
}
