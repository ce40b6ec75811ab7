export type LinkTarget =
  /** Another site; `host` is shown beside the words unless they say it. */
  | { kind: "external"; href: string; host: string }
  /** A file of the same skill. */
  | { kind: "file"; path: string }
  /** A place of this page. */
  | { kind: "anchor" }
  | { kind: "none" };

/** Where a link in a file of a skill leads; `from` is the path of that file. */
export function linkTarget(href: string | undefined, from: string): LinkTarget {
  if (!href) return { kind: "none" };
  if (href.startsWith("#")) return { kind: "anchor" };
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return externalTarget(href);
  const path = resolvePath(href, from);
  return path === null ? { kind: "none" } : { kind: "file", path };
}

function externalTarget(href: string): LinkTarget {
  try {
    const url = new URL(href, "https://invalid.example");
    if (url.protocol === "mailto:") return { kind: "external", href: url.href, host: "" };
    if (url.protocol !== "http:" && url.protocol !== "https:") return { kind: "none" };
    return { kind: "external", href: url.href, host: url.host };
  } catch {
    return { kind: "none" };
  }
}

function resolvePath(href: string, from: string): string | null {
  const [rawPath = ""] = href.split(/[?#]/);
  const parts = from.split("/").slice(0, -1);
  for (const part of decodePath(rawPath).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  return parts.length === 0 ? null : parts.join("/");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
