import { createRequire } from "node:module";
import { vi } from "vitest";

/** Mocks the headers and cookies of Next.js for next-auth; the returned function sets those of a request. */
export function frameworkHeaders(): (headers: Headers) => void {
  let incoming = new Headers();
  const framework = createRequire(import.meta.url)("next/headers");
  vi.spyOn(framework, "headers").mockImplementation(async () => incoming);
  vi.spyOn(framework, "cookies").mockImplementation(async () => ({
    getAll: () =>
      (incoming.get("cookie") ?? "")
        .split("; ")
        .filter((pair) => pair !== "")
        .map((pair) => ({ name: pair.split("=")[0], value: decodeURIComponent(pair.slice(pair.indexOf("=") + 1)) })),
  }));
  return (headers) => {
    incoming = headers;
  };
}
