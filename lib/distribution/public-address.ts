import { getEnv } from "@/lib/core/env";

/** An address for other programs, from PUBLIC_URL and never from what a request says of its host. `path` begins with `/`. */
export function publicAddress(path: string): string {
  return `${getEnv().publicUrl}${path}`;
}

/** The same without the host, for documents that are read where they were fetched: a path below that of PUBLIC_URL. */
export function publicPath(path: string): string {
  return `${new URL(getEnv().publicUrl).pathname.replace(/\/+$/, "")}${path}`;
}
