import { getEnv } from "@/lib/core/env";

/** Absolute URL from PUBLIC_URL, never from the request's host. `path` begins with `/`. */
export function publicAddress(path: string): string {
  return `${getEnv().publicUrl}${path}`;
}

/** Like `publicAddress`, without scheme and host, for documents with relative URLs. */
export function publicPath(path: string): string {
  return `${new URL(getEnv().publicUrl).pathname.replace(/\/+$/, "")}${path}`;
}
