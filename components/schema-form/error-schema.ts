import type { ErrorSchema } from "@rjsf/utils";
import type { ApiError, ApiFieldError } from "@/lib/client/api";

type Node = { __errors?: string[] } & { [key: string]: Node | string[] | undefined };

export function toErrorSchema(errors: readonly ApiFieldError[]): ErrorSchema {
  const root: Node = {};
  for (const { path, message } of errors) {
    let node = root;
    for (const segment of path === "" ? [] : path.split(".")) {
      const next = Object.hasOwn(node, segment) ? node[segment] : undefined;
      const child: Node = next && !Array.isArray(next) ? next : {};
      node[segment] = child;
      node = child;
    }
    node.__errors = [...(node.__errors ?? []), message];
  }
  return root as ErrorSchema;
}

/** Messages of the server that differ from those of the form. */
const serverMessages: Record<string, string> = {
  "is required": "enter a value",
  "is not a known argument": "unknown argument",
};

/** The errors of a refused run that belong to arguments: the server writes `args.filter.path`. */
export function argErrorsOf(error: Pick<ApiError, "errors">): ApiFieldError[] {
  return error.errors
    .filter(({ path }) => path === "args" || path.startsWith("args."))
    .map(({ path, message }) => ({ path: path.slice("args.".length), message: serverMessages[message] ?? message }));
}
