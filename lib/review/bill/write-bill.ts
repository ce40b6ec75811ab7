import { LRUCache } from "lru-cache";
import { sha256Hex } from "@/lib/core/hash";
import { storeOf } from "@/lib/core/process-store";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Ctx } from "@/lib/db/context";
import { isScript } from "@/lib/skill-format/executables";
import type { SkillManifest } from "@/lib/skill-format/schema";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import packageJson from "@/package.json";
import { createCard, eachLine, type Place, readTexts, type SkillText } from "../capabilities/card";
import { addFileFacts } from "../capabilities/file-facts";
import { packageUrl } from "./parse-package";
import { readPackages } from "./read-packages";
import type { Bill, BillComponent, NamedPackage } from "./schema";

type Named = Place & { name: string };

/** What the files of a version name, read from their texts: up to 256 KiB of each file and 2 MiB in all. */
type Contents = { packages: NamedPackage[]; programs: Named[]; models: Named[] };

const MAX_KEPT = 500;
const MODEL =
  /\b((?:claude|gpt|gemini|llama|mistral|qwen|deepseek)-(?=[a-z.-]{0,24}\d)[a-z0-9][a-z0-9.-]{0,60}[a-z0-9])\b/gi;
const MAX_MODELS = 100;

type Stored = Parameters<typeof readVersionFiles>[1] & { digest: string };

type BilledVersion = {
  skill: { id: string; name: string };
  digest: string;
  number: number;
  manifest: SkillManifest;
  files: { path: string; mode: string; sha256: string }[];
  contents: Contents;
};

/** Common identifiers of the SPDX list; other licences are named as written. */
const SPDX = new Set(
  `0BSD AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0 CC-BY-4.0 CC-BY-SA-4.0
   CC0-1.0 EPL-2.0 EUPL-1.2 GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1-only
   LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later MIT MIT-0 MPL-2.0 Unlicense WTFPL Zlib`.split(/\s+/),
);

/** The skill of a version as a component, with its digest. */
export function skillComponent({ skill, digest, number, manifest }: Omit<BilledVersion, "files" | "contents">) {
  const component: BillComponent = {
    ...{ type: "application", "bom-ref": `skill:${skill.id}@${digest}`, name: skill.name },
    version: manifest.version ?? String(number),
    ...(manifest.description === "" ? {} : { description: manifest.description }),
    hashes: [{ alg: "SHA-256", content: digest }],
    ...licencesOf(manifest.license),
    properties: [
      ...(manifest.author === null ? [] : [{ name: "skillgate:author", value: manifest.author }]),
      { name: "skillgate:kind", value: "skill" },
      { name: "skillgate:version-number", value: String(number) },
    ],
  };
  return component;
}

function licencesOf(license: string | null): Pick<BillComponent, "licenses"> {
  if (license === null || license.trim() === "") return {};
  const name = license.trim();
  return { licenses: [{ license: SPDX.has(name) ? { id: name } : { name } }] };
}

/** Packages, programs, models, tools and skills that a version names, without its files. Each `bom-ref` occurs once. */
export function namedComponents({ manifest, contents }: Pick<BilledVersion, "manifest" | "contents">): BillComponent[] {
  const places = new Map<string, BillComponent>();
  const add = (component: BillComponent) => {
    const known = places.get(component["bom-ref"]);
    if (known === undefined) places.set(component["bom-ref"], component);
    else known.evidence?.occurrences.push(...(component.evidence?.occurrences ?? []));
  };
  for (const named of contents.packages) add(packageComponent(named));
  for (const { name, path, line } of contents.programs) add({ ...program(name), ...occursAt(path, line) });
  for (const name of [...manifest.requirements.bins, ...manifest.requirements.anyBins]) add(program(name));
  for (const { kind, target, bins } of manifest.install) {
    const name = target ?? bins.join(", ");
    if (name !== "") add({ ...named("application", "install", `${kind} ${name}`), name });
  }
  for (const { name, path, line } of contents.models) add({ ...model(name), ...occursAt(path, line) });
  if (manifest.model !== null) add(model(manifest.model));
  const steps = manifest.steps.map(({ toolName }) => toolName).filter((name) => name !== null);
  for (const name of [...(manifest.allowedTools ?? []), ...steps]) add(named("application", "tool", name));
  const skills = manifest.steps.map(({ skillName }) => skillName).filter((name) => name !== null);
  for (const name of [...manifest.depends, ...skills]) add(named("application", "skill", name));
  return [...places.values()];
}

function named(type: BillComponent["type"], kind: string, name: string): BillComponent {
  return { type, "bom-ref": `${kind}:${name}`, name, properties: [{ name: "skillgate:kind", value: kind }] };
}

function program(name: string): BillComponent {
  return named("application", "program", name);
}

function model(name: string): BillComponent {
  return named("machine-learning-model", "model", name);
}

/** The reference of a package in a bill: one for each version, or for the unpinned package. */
export function packageRef(named: NamedPackage): string {
  return packageUrl(named);
}

function packageComponent(given: NamedPackage): BillComponent {
  const { name, version, asked, path, line } = given;
  return {
    ...{ type: "library", "bom-ref": packageRef(given), name },
    ...(version === null ? {} : { version }),
    purl: packageUrl(given),
    properties: [
      { name: "skillgate:kind", value: "package" },
      { name: "skillgate:pinned", value: String(version !== null) },
      { name: "skillgate:asked", value: asked },
    ],
    ...occursAt(path, line),
  };
}

function occursAt(path: string, line: number): Pick<BillComponent, "evidence"> {
  return { evidence: { occurrences: [{ location: path, line }] } };
}

/** The files of a version with their SHA-256. */
export function fileComponents(files: BilledVersion["files"]): BillComponent[] {
  return files.map((file) => ({
    ...{ type: "file", "bom-ref": `file:${file.path}`, name: file.path },
    hashes: [{ alg: "SHA-256", content: file.sha256 }],
    properties: [
      { name: "skillgate:kind", value: isScript(file) ? "script" : "file" },
      { name: "skillgate:mode", value: file.mode },
    ],
  }));
}

type Parts = {
  /** What the bill is about, from which its serial number follows. */
  about: string;
  at: Date;
  component: BillComponent;
  components: BillComponent[];
  dependencies: Bill["dependencies"];
  vulnerabilities: NonNullable<Bill["vulnerabilities"]>;
};

/** A bill of materials. It says that it is incomplete, because names are read from texts. */
export function assembleBill({ about, at, component, components, dependencies, vulnerabilities }: Parts): Bill {
  return {
    ...{ $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", bomFormat: "CycloneDX", specVersion: "1.6" },
    ...{ serialNumber: serialNumberOf(about), version: 1 },
    metadata: {
      timestamp: at.toISOString(),
      tools: { components: [{ type: "application", name: "Skillgate", version: packageJson.version }] },
      component,
    },
    ...{ components, dependencies },
    compositions: [{ aggregate: "incomplete", assemblies: [component["bom-ref"]] }],
    ...(vulnerabilities.length === 0 ? {} : { vulnerabilities }),
  };
}

/** A UUID of version 8 (RFC 9562) from a hash: the same bill has the same number. */
function serialNumberOf(about: string): string {
  const hex = sha256Hex(`skillgate-bill ${about}`);
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Kept by digest, because the same bytes name the same things. Throws `version_tampered` like every read of stored files. */
export async function readContents(ctx: Ctx, version: Stored): Promise<Contents> {
  const kept = storeOf(ctx.database, "contents-of-versions", () => new LRUCache<string, Contents>({ max: MAX_KEPT }));
  const known = kept.get(version.digest);
  if (known !== undefined) return known;
  await loopTurn();
  const files = await readVersionFiles(ctx, version);
  const texts = readTexts(files);
  const contents = { packages: readPackages(texts), programs: readPrograms(texts), models: readModels(texts) };
  kept.set(version.digest, contents);
  return contents;
}

function readPrograms(texts: SkillText[]): Named[] {
  const card = createCard();
  // Programs only: facts about paths could displace them.
  const add: typeof card.add = (group, fact) => (fact.kind === "program" ? card.add(group, fact) : undefined);
  for (const text of texts) addFileFacts({ ...card, add }, { texts: [text] });
  return card
    .groups()
    .flatMap(({ facts }) => facts.map(({ value, path, line }) => ({ name: value, path: path ?? "", line: line ?? 1 })));
}

function readModels(texts: SkillText[]): Named[] {
  const found = new Map<string, Named>();
  for (const { content, at } of eachLine(texts)) {
    for (const [, name = ""] of content.matchAll(MODEL)) {
      if (!found.has(name.toLowerCase()) && found.size < MAX_MODELS) found.set(name.toLowerCase(), { name, ...at });
    }
  }
  return [...found.values()];
}
