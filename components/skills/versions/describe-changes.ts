import { formatLimit } from "@/components/ui/format-time";
import type { Grants } from "@/lib/policy/grants/schema";
import type { VersionDiff } from "@/lib/skills/versions/schema";
import { type Permission, permissionOf } from "../permission-list";
import { sentenceCase } from "../skill-labels";

/** One difference between two versions as a sentence. Danger and warning: the version may do more. */
export type ChangeSentence = {
  text: string;
  tone: Permission["tone"];
  place?: { path: string; line: number | null };
};

type Change = VersionDiff["changes"][number];
type Side = VersionDiff["grants"][number];

const tones: readonly Permission["tone"][] = ["danger", "warning", "neutral"];

/** Differences of class, permissions, limits, programs and findings, what allows more first. Empty without any. */
export function describeChanges(diff: VersionDiff): ChangeSentence[] {
  const granted = diff.grants.flatMap(describeGrant);
  const known = new Set(diff.grants.map(({ field }) => declaredFields[field] ?? field));
  const removed = diff.files.filter(({ change, modeBefore }) => change === "removed" && modeBefore === "755");
  return inOrder([
    ...(diff.class.changed ? [classSentence(diff.class.before, diff.class.after)] : []),
    ...granted,
    ...describeDeclared(diff.changes.filter(({ field }) => field !== "class" && !known.has(field))),
    ...diff.newHosts.map(({ host, path, line }) => warning(`Names the new host ${host}`, { path, line })),
    ...diff.newExecutables.map((program) => programSentence(diff, program)),
    ...removed.map(({ path }) => neutral(`The program ${path} was removed`)),
    ...(diff.findings?.added ?? []).map(({ why, severity, path, line }): ChangeSentence => {
      const isGrave = severity === "critical" || severity === "high";
      return { text: `New finding: ${why}`, tone: isGrave ? "danger" : "warning", place: { path, line } };
    }),
    ...goneFindings(diff.findings?.removed.length ?? 0),
  ]);
}

/** A program that only has other content is what every update brings, so it does not stand out. */
function programSentence({ files }: VersionDiff, { path, line, why }: VersionDiff["newExecutables"][number]) {
  const file = files.find((other) => other.path === path);
  const isKnown = line === null && file?.change === "changed" && file.modeBefore === file.modeAfter;
  return isKnown ? neutral(`${path} ${why}`) : warning(`${path} ${why}`, line === null ? undefined : { path, line });
}

/** Differences of what the files declare, in sentences. */
export function describeDeclared(changes: readonly Change[]): ChangeSentence[] {
  return inOrder(changes.flatMap(describeDeclaration));
}

function inOrder(sentences: ChangeSentence[]): ChangeSentence[] {
  return sentences.sort((a, b) => tones.indexOf(a.tone) - tones.indexOf(b.tone));
}

const neutral = (text: string): ChangeSentence => ({ text, tone: "neutral" });
const warning = (text: string, place?: ChangeSentence["place"]): ChangeSentence => ({
  ...{ text, tone: "warning" },
  ...(place ? { place } : {}),
});

const ranks: readonly unknown[] = ["safe", "mutating", "dangerous"];

function classSentence(before: unknown, after: unknown): ChangeSentence {
  const isHigher = ranks.indexOf(after) > ranks.indexOf(before);
  const tone = !isHigher ? "neutral" : after === "dangerous" ? "danger" : "warning";
  return { text: `Class ${before} → ${after}`, tone };
}

function goneFindings(count: number): ChangeSentence[] {
  if (count === 0) return [];
  return [neutral(count === 1 ? "1 finding is gone" : `${count} findings are gone`)];
}

/** The declared field that a grant repeats. */
const declaredFields: Record<string, string> = { env: "envAllow" };

function describeGrant({ field, before, after }: Side): ChangeSentence[] {
  // The server has checked both sides, as stored.
  const [was, now] = [{ [field]: before ?? undefined } as Grants, { [field]: after ?? undefined } as Grants];
  switch (field) {
    case "timeoutSeconds":
      return [limitSentence(before, after)];
    case "network":
      return networkSentences(was.network, now.network);
    case "env":
      return listSentences(
        was.env,
        now.env,
        (name) => `May now read the variable ${name}`,
        (name) => `No longer reads the variable ${name}`,
      );
    case "scripts":
      return [
        now.scripts ? warning("Agents may now run its scripts") : neutral("Agents may no longer run its scripts"),
      ];
    case "workspace":
      return [
        now.workspace
          ? warning("May now read and write the workspace of its session")
          : neutral("No longer uses the workspace of its session"),
      ];
    case "paths":
      return listSentences(
        was.paths?.map(pathText),
        now.paths?.map(pathText),
        (text) => `May now ${text} on the host`,
        (text) => `May no longer ${text} on the host`,
      );
    case "credentials":
      return listSentences(
        was.credentials?.map(credentialText),
        now.credentials?.map(credentialText),
        (text) => `Now gets ${text}`,
        (text) => `No longer gets ${text}`,
      );
    case "namespaces":
      return listSentences(
        was.namespaces,
        now.namespaces,
        (name) => `Now shares the host’s ${name} namespace`,
        (name) => `No longer shares the host’s ${name} namespace`,
      );
    case "capabilities":
      return listSentences(
        was.capabilities,
        now.capabilities,
        (name) => `Now has the Linux capability ${name}`,
        (name) => `No longer has the Linux capability ${name}`,
      );
    case "tools":
      return was.tools && now.tools
        ? toolSentences(was.tools, now.tools)
        : [warning("Agents get the tools it declares")];
    default:
      return [warning(`${sentenceCase(field)} changed`)];
  }
}

const pathText = ({ path, mode }: { path: string; mode: string }) =>
  `${mode === "rw" ? "read and write" : "read"} ${path}`;
const credentialText = ({ credential, as, name }: { credential: string; as: string; name: string }) =>
  `the credential ${credential} as the ${as === "env" ? "variable" : "file"} ${name}`;

function listSentences(
  before: readonly string[] = [],
  after: readonly string[] = [],
  gained: (item: string) => string,
  lost: (item: string) => string,
): ChangeSentence[] {
  return [
    ...after.filter((item) => !before.includes(item)).map((item) => warning(gained(item))),
    ...before.filter((item) => !after.includes(item)).map((item) => neutral(lost(item))),
  ];
}

function networkSentences(before: Grants["network"] = false, after: Grants["network"] = false): ChangeSentence[] {
  if (after === true) return [warning("May now reach any address that the worker’s operator allows")];
  const [hosts, known] = [after || [], Array.isArray(before) ? before : []];
  if (before === true)
    return [neutral(hosts.length === 0 ? "Has no network any more" : `Reaches only ${hosts.join(", ")} now`)];
  return listSentences(
    known,
    hosts,
    (host) => `May now reach the host ${host}`,
    (host) => `No longer reaches the host ${host}`,
  );
}

function limitSentence(before: unknown, after: unknown): ChangeSentence {
  const text = (value: unknown) => (typeof value === "number" ? formatLimit(value) : "the default");
  const isLonger = typeof after === "number" && (typeof before !== "number" || after > before);
  return { text: `Time limit ${text(before)} → ${text(after)}`, tone: isLonger ? "warning" : "neutral" };
}

function toolSentences(before: readonly string[], after: readonly string[]): ChangeSentence[] {
  return [
    ...after
      .filter((tool) => !before.includes(tool))
      .map(
        (tool): ChangeSentence => ({ text: `${permissionOf(tool).text} without asking (${tool})`, tone: toneOf(tool) }),
      ),
    ...before.filter((tool) => !after.includes(tool)).map((tool) => neutral(`Asks again before it uses ${tool}`)),
  ];
}

const toneOf = (tool: string) => (permissionOf(tool).tone === "danger" ? "danger" : "warning");

function describeDeclaration({ field, before, after }: Change): ChangeSentence[] {
  switch (field) {
    case "class":
    case "declaredClass":
      return [
        field === "class" ? classSentence(before, after) : neutral(`Declared class ${said(before)} → ${said(after)}`),
      ];
    case "envAllow":
      return listSentences(
        strings(before),
        strings(after),
        (name) => `Asks for the variable ${name}`,
        (name) => `No longer asks for the variable ${name}`,
      );
    case "timeoutSeconds":
      return [limitSentence(before, after)];
    case "allowedTools":
      return toolSentences(strings(before), strings(after));
    case "entry":
      return [
        after ? warning(`Runs now start ${after}, not ${before ?? "a program"}`) : neutral("Nothing is run any more"),
      ];
    case "runnable script":
      return [
        after
          ? warning("Runs start another script, or call it differently")
          : neutral("No script of it is run any more"),
      ];
    case "schema":
      return [neutral("Its arguments changed: see the files below")];
    case "requires":
      return [neutral("Its requirements changed: see the files below")];
    case "description":
      return [neutral("Its description changed: agents choose the skill by it")];
    default:
      return [neutral(`${sentenceCase(field)} changed`)];
  }
}

const said = (value: unknown) => (typeof value === "string" ? value : "none");

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
