import type { Canary } from "./decoys";

const MAX_LINKS = 1_000;
const MAX_NAMES = 1_000;
const MAX_FOLLOWED = 40;

/**
 * Where the paths of a traced program lead: through the symbolic links that it made, `/proc/self/root` and
 * `/proc/self/cwd`, and where planted secrets are after it renamed or linked them or a folder above. Follows at most
 * 1,000 links and 1,000 names of secrets; `onLost` hears of each other one.
 */
export function followPaths(canaries: readonly Canary[], onLost: () => void) {
  const links = new Map<string, string>();
  // The path alone would have to be looked up for every part of every path.
  const linkNames = new Set<string>();
  const planted = new Map(canaries.flatMap(({ path, name }) => (path === null ? [] : [[path, name] as const])));
  const nameOf = new Map(planted);

  /** The absolute path without links; the last part is followed too, unless the call works on the link itself. */
  function resolve(directory: string, path: string, { isLastFollowed = true } = {}): string {
    let done: string[] = [];
    // Reversed, so that the target of a link is put in front cheaply.
    const rest = path.split("/").reverse();
    if (!path.startsWith("/")) rest.push(...directory.split("/").reverse());
    for (let followed = 0, part = rest.pop(); part !== undefined; part = rest.pop()) {
      if (part === "" || part === ".") continue;
      if (part === "..") {
        done.pop();
        continue;
      }
      done.push(part);
      const target = isLastFollowed || rest.length > 0 ? targetOf(done, directory) : null;
      if (target === null || followed >= MAX_FOLLOWED) continue;
      followed += 1;
      done = target.startsWith("/") ? [] : done.slice(0, -1);
      rest.push(...target.split("/").reverse());
    }
    return `/${done.join("/")}`;
  }

  function targetOf(done: string[], directory: string): string | null {
    const last = done.at(-1) ?? "";
    if (done[0] === "proc" && (last === "root" || last === "cwd")) {
      const path = `/${done.join("/")}`;
      if (/^\/proc\/(self|thread-self|\d+)(\/task\/\d+)?\/root$/.test(path)) return "/";
      // That of another process is unknown.
      if (/^\/proc\/(self|thread-self)\/cwd$/.test(path)) return directory;
    }
    return linkNames.has(last) ? (links.get(`/${done.join("/")}`) ?? null) : null;
  }

  function addLink(path: string, target: string): void {
    if (links.size >= MAX_LINKS) {
      onLost();
      return;
    }
    links.set(path, target);
    linkNames.add(path.slice(path.lastIndexOf("/") + 1));
  }

  function addName(path: string, name: string): void {
    if (nameOf.size < MAX_NAMES || nameOf.has(path)) nameOf.set(path, name);
    else onLost();
  }

  /** What was at `from`, and below it, is now at `to`. */
  function move(from: string, to: string, isExchange = false): void {
    if (from === to) return;
    if (!isExchange) links.delete(to);
    const moved = [...links].filter(([path]) => isAt(path, from));
    const named = [...nameOf].filter(([path]) => isAt(path, from));
    const back = isExchange ? [...nameOf].filter(([path]) => isAt(path, to)) : [];
    const linksBack = isExchange ? [...links].filter(([path]) => isAt(path, to)) : [];
    for (const [path] of [...moved, ...linksBack]) links.delete(path);
    for (const [path, target] of moved) addLink(to + path.slice(from.length), target);
    for (const [path, target] of linksBack) addLink(from + path.slice(to.length), target);
    // The place where a secret was planted stays one: other processes may have asked for it before.
    for (const [path] of named) if (!planted.has(path)) nameOf.delete(path);
    for (const [path, name] of named) addName(to + path.slice(from.length), name);
    for (const [path, name] of back) addName(from + path.slice(to.length), name);
  }

  return {
    resolve,
    move,
    link: addLink,
    /** A second name of the same file. */
    join(from: string, to: string) {
      const name = nameOf.get(from);
      const target = links.get(from);
      if (name !== undefined) addName(to, name);
      if (target !== undefined) addLink(to, target);
    },
    remove: (path: string) => void links.delete(path),
    /** The planted secret at this path, by name. */
    canaryAt: (path: string) => nameOf.get(path) ?? nameOf.get(path.replace(/ \(deleted\)$/, "")),
    /** Whether planted secrets are at this path or below it. */
    holdsCanary: (path: string) => [...nameOf.keys()].some((known) => isAt(known, path)),
  };
}

const isAt = (path: string, folder: string) => path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
