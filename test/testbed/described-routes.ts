/** What the OpenAPI document of a running service describes, with a type for its good answers. */

type Paths = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        { readonly responses: Readonly<Record<string, { readonly content?: object }>> }
      >
    >
  >
>

/** Tests of `GET /api/v1/overview`, one for each route. */
export async function describedRoutes(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly ((asked: string) => boolean)[]> {
  const answer = await fetch(`${url}/api/openapi.json`, { headers })
  const { paths }: { readonly paths: Paths } = JSON.parse(await answer.text())
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i')
      const hasType = Object.entries(responses).some(
        ([status, { content }]) =>
          status === '204' || (status.startsWith('2') && content !== undefined),
      )
      return (asked) => hasType && pattern.test(asked)
    }),
  )
}
