import type { ScanFile } from "../scan/scan-file";
import { contains, type Flows, followAt, HOLDS, MAX_SCRIPT_CHARS, mayFlow, scriptsOf, speaks } from "./find-flows";
import { type Flow, openProgram, type Program } from "./program";
import { HOLE, type Label } from "./values";

const KEEPS =
  /\bcp\s|\bmv\s|\btar\b|\bzip\b|>\s*["']?[\w$~./]|\btee\b|copy\w*\(|write\w*\(|\bdump\(|open\([^)\n]{0,80}["'][wax]|Out-File|Set-Content|Copy-Item|Compress-Archive|ZipFile|tarfile|archiver/i;
const SENDS_FILES = /\b(?:curl|scp|rsync|rclone|gsutil|aws\s+s3|wget|nc|gh\s+(?:gist|release))\s+[-\w]/;
const MAX_SPLIT = 8;

/**
 * Follows a secret that one script writes into a file and another script or a page of the skill sends, also when a third
 * one packs it. Returns what is sent by files that hold no secret themselves.
 */
export function findSplitFlows(
  files: readonly ScanFile[],
  flowsOf: (file: ScanFile) => Flows,
): { file: ScanFile; flows: Flow[] }[] {
  const texts = files.filter(({ kind }) => kind === "script" || kind === "prose");
  const scripts = texts.filter(({ kind, isBeyondFollowing }) => kind === "script" && !isBeyondFollowing);
  if (scripts.length === 0 || texts.length > 60) return [];
  const holders = scripts.filter((file) => contains(file, KEEPS) && contains(file, HOLDS));
  if (holders.length === 0) return [];
  const senders = texts.filter((file) => (file.kind === "script" ? speaks(file) : contains(file, SENDS_FILES)));
  const takers = holders.filter((file) => senders.some((sender) => sender !== file)).slice(0, MAX_SPLIT);
  const kept = new Map<string, readonly Label[]>();
  const found = new Map<ScanFile, Flow[]>();
  const run = (file: ScanFile) => {
    const program = openProgram(file.linked);
    for (const [path, labels] of kept) program.files.set(path, labels);
    for (const script of scriptsOf(file)) if (script.text.length <= MAX_SCRIPT_CHARS) followAt(script, program);
    keep(program.files);
    return program.flows;
  };
  const keep = (written: Program["files"]) => {
    for (const [path, labels] of written) {
      const secrets = labels.filter(isSecret);
      for (const key of secrets.length === 0 ? [] : placesOf(path)) if (!kept.has(key)) kept.set(key, secrets);
    }
  };
  for (const taker of takers)
    if (mayFlow(taker)) keep(flowsOf(taker).written ?? new Map());
    else run(taker);
  // Once more for each script that packs what another one has written.
  for (let round = 0; round < 3 && kept.size > 0; round += 1) {
    const before = kept.size;
    const names = new Set([...kept.keys()].flatMap(namesOf));
    const others = texts.filter(({ text }) => [...names].some((name) => text.includes(name)));
    for (const file of others.slice(0, MAX_SPLIT)) {
      const isWriter = takers.includes(file);
      const flows = run(file).filter(({ kind }) => kind === "transfer");
      if (flows.length > 0 && !isWriter) found.set(file, flows);
    }
    if (kept.size === before) break;
  }
  return [...found].map(([file, flows]) => ({ file, flows }));
}

/** What a script that reads a file writes: its name, or its folder as a whole. */
function namesOf(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  const name = parts.at(-1) ?? "";
  const folder = parts.slice(0, -1).join("/");
  return [...(name.length > 3 ? [name] : []), ...(/^\w/.test(folder) ? [`"${folder}"`, `'${folder}'`] : [])];
}

function isSecret({ kind }: Label): boolean {
  return kind === "file" || kind === "store" || kind === "environment";
}

/** A path as other scripts may write it: from another folder, or below one that is not known. */
function placesOf(path: string): string[] {
  const plain = path.replace(/^\.\//, "");
  if (/^(?:git:|encrypted:|\/tmp\/tmp\.|\/dev\/)|^[^/]*\uE000[^/]*$/.test(plain)) return [];
  const end = plain.split(HOLE).at(-1)?.replace(/^\//, "") ?? "";
  return [...new Set([plain, end, `${HOLE}/${end}`, `./${end}`])].filter((place) => /\w/.test(place));
}
