import type { Ecosystem, NamedPackage } from "./schema";

type Parsed = Pick<NamedPackage, "ecosystem" | "name" | "version" | "asked">;

const FORMS: Record<Ecosystem, RegExp> = {
  // Name, extras, version of PEP 508; uvx also writes name@version.
  PyPI: /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?:\[[^\]]*\])?((?:[=<>!~]=?=?|@)[^\s]+)?$/,
  npm: /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(.+))?$/i,
  Go: /^([\w-]+(?:\.[\w-]+)+\/[\w./~-]+)(?:@(.+))?$/,
  "crates.io": /^([A-Za-z][\w-]*)(?:@(.+))?$/,
  RubyGems: /^([A-Za-z][\w.-]*)(?:@(.+))?$/,
  Homebrew: /^([a-z0-9][\w+./-]*)(?:@([\d.]+))?$/,
  Debian: /^([a-z0-9][a-z0-9+.-]+)(?:=(.+))?$/,
};

/** Prefixes of a version that name exactly one. */
const EXACT: Record<Ecosystem, RegExp> = {
  PyPI: /^(?:===?|@)v?(\d[\w.!+-]*)$/,
  npm: /^[v=]?(\d+\.\d+\.\d+[\w.+-]*)$/,
  Go: /^v(\d+\.\d+\.\d+[\w.+-]*)$/,
  "crates.io": /^=?(\d+\.\d+\.\d+[\w.+-]*)$/,
  RubyGems: /^(\d[\w.]*)$/,
  Homebrew: /^(\d[\d.]*\.\d+)$/,
  Debian: /^(\d\S*)$/,
};

/** A package as a command or a list asks for it, such as `requests==2.31.0` or `left-pad@^1`; null for something else. */
export function parsePackage(ecosystem: Ecosystem, asked: string): Parsed | null {
  const [, given, range = ""] = FORMS[ecosystem].exec(asked) ?? [];
  if (given === undefined) return null;
  if (/[:/]/.test(range)) return null; // From an address or a folder, and not from a registry.
  const isRange = ecosystem === "crates.io" && !range.startsWith("="); // Cargo reads 1.2.3 as ^1.2.3.
  const version = isRange ? undefined : EXACT[ecosystem].exec(range)?.[1];
  return { ecosystem, name: normalName(ecosystem, given), version: version ?? null, asked };
}

function normalName(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === "PyPI") return name.toLowerCase().replace(/[-_.]+/g, "-"); // PEP 503
  return ecosystem === "Go" || ecosystem === "crates.io" || ecosystem === "RubyGems" ? name : name.toLowerCase();
}

const TYPES: Record<Ecosystem, string> = {
  PyPI: "pypi",
  npm: "npm",
  Go: "golang",
  "crates.io": "cargo",
  RubyGems: "gem",
  Homebrew: "brew",
  Debian: "deb/debian",
};

/** The package URL (github.com/package-url/purl-spec), with the version when it is pinned. */
export function packageUrl({ ecosystem, name, version }: Pick<NamedPackage, "ecosystem" | "name" | "version">): string {
  const path = name.split("/").map(encodeURIComponent).join("/");
  const prefix = ecosystem === "Go" ? "v" : "";
  return `pkg:${TYPES[ecosystem]}/${path}${version === null ? "" : `@${prefix}${encodeURIComponent(version)}`}`;
}
