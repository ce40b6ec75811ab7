import type { ErrorSchema } from "@rjsf/utils";
import type { ApiError, ApiFieldError } from "@/lib/client/api";
import { valuesIn } from "./describe-unit";

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

/** The server's messages are for agents, which need patterns and exact values. The form says them in words. */
function inWords(message: string): string {
  if (message === "is required") return "enter a value";
  if (message === "is not a known argument") return "unknown argument";
  if (message.startsWith("must match the pattern ")) return "does not have the expected form";
  const values = /^must be one of (\[.*\])$/s.exec(message)?.[1];
  return values === undefined ? message : `choose one of: ${valuesIn(values)}`;
}

/** The errors of a refused run that belong to arguments, one for each: the server writes `args.filter.path`. */
export function argErrorsOf(error: Pick<ApiError, "errors">): ApiFieldError[] {
  return error.errors
    .filter(({ path }) => path === "args" || path.startsWith("args."))
    .filter(({ path }, index, all) => all.findIndex((other) => other.path === path) === index)
    .map(({ path, message }) => ({ path: path.slice("args.".length), message: inWords(message) }));
}
