import { AppError } from "@/lib/core/errors";

/**
 * What an index covers: everything the viewer sees, one skill (optionally pinned to a version), a publisher, or a
 * collection.
 */
export type DistributionScope =
  | { kind: "root" }
  | { kind: "skill"; publisher: string; name: string; version: string | null }
  | { kind: "publisher"; handle: string }
  | { kind: "collection"; slug: string }
  | BoundScope;

/** Target of a capability URL, by id, so that renames do not affect it. */
export type BoundScope = { kind: "bound"; to: "skill" | "publisher" | "collection"; id: string };

/** Scope in an address; with a capability URL, its token decides the scope. */
export type ScopeAddress = { scope: DistributionScope } | { token: string };

const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const VERSION = /^[A-Za-z0-9][A-Za-z0-9.+:_-]{0,79}$/;
const TOKEN = /^sgc_[A-Za-z0-9_-]{20,200}$/;

/**
 * Parses the path part that the router makes of a scope: `root`, `s~publisher~skill`, `s~publisher~skill@version`,
 * `p~publisher`, `c~collection` or `t~token`. Throws `not_found` for anything else.
 */
export function parseScope(word: string): ScopeAddress {
  const [kind, first = "", second, ...more] = word.split("~");
  const found = more.length > 0 ? null : read(kind ?? "", first, second);
  if (found === null) throw new AppError("not_found", "There is no index at this address.");
  return found;
}

function read(kind: string, first: string, second: string | undefined): ScopeAddress | null {
  if (kind === "root" && first === "" && second === undefined) return { scope: { kind: "root" } };
  if (kind === "s" && second !== undefined) return readSkill(first, second);
  if (second !== undefined) return null;
  if (kind === "p" && WORD.test(first)) return { scope: { kind: "publisher", handle: first } };
  if (kind === "c" && WORD.test(first)) return { scope: { kind: "collection", slug: first } };
  return kind === "t" && TOKEN.test(first) ? { token: first } : null;
}

function readSkill(publisher: string, skill: string): ScopeAddress | null {
  const at = skill.indexOf("@");
  const name = at === -1 ? skill : skill.slice(0, at);
  const version = at === -1 ? null : skill.slice(at + 1);
  if (!WORD.test(publisher) || !WORD.test(name) || (version !== null && !VERSION.test(version))) return null;
  return { scope: { kind: "skill", publisher, name, version } };
}

/** Path of a scope below the server's URL, without a trailing slash; empty for the root and for capability URLs. */
export function pathOfScope(scope: DistributionScope): string {
  if (scope.kind === "root" || scope.kind === "bound") return "";
  if (scope.kind === "publisher") return `/p/${scope.handle}`;
  if (scope.kind === "collection") return `/c/${scope.slug}`;
  return `/s/${scope.publisher}/${scope.name}${scope.version === null ? "" : `@${scope.version}`}`;
}
