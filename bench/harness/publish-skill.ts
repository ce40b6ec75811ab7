import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import { type Caller, fileForm } from "./call-api";

type Imported = { skills: { id: string; pendingVersion: { digest: string } | null }[] };

/** An upload of a small pack that prints its arguments; `text` makes it another version. */
export async function packUpload(name: string, text: string, script = "#!/bin/sh\nexec cat\n") {
  const encode = (content: string) => new TextEncoder().encode(content);
  const schema = { type: "object", properties: { text: { type: "string" } } };
  const manifest = {
    name,
    description: `Prints its arguments (${text}).`,
    class: "safe",
    entry: "run",
    schema,
  };
  const files: SkillFile[] = [
    { path: "skill.json", mode: "644", bytes: encode(JSON.stringify(manifest)) },
    { path: "run", mode: "755", bytes: encode(script) },
  ];
  return fileForm(`${name}.zip`, await writeZip(name, files));
}

export async function importPack(
  caller: Caller,
  name: string,
  text: string,
  script?: string,
): Promise<{ id: string; digest: string }> {
  const answer = await caller.call("POST", "/api/skills/import", await packUpload(name, text, script));
  if (answer.status !== 201) throw new Error(`${name} was not imported: ${answer.status} ${answer.text.slice(0, 300)}`);
  const [skill] = (JSON.parse(answer.text) as Imported).skills;
  if (!skill?.pendingVersion) throw new Error(`${name} has no pending version`);
  return { id: skill.id, digest: skill.pendingVersion.digest };
}

export async function publishSkill(caller: Caller, name: string, script?: string): Promise<string> {
  const { id, digest } = await importPack(caller, name, "first", script);
  await must(caller, "POST", `/api/skills/${id}/versions/${digest}/decisions`, { decision: "approve" });
  await must(caller, "PATCH", `/api/skills/${id}`, { enabled: true });
  return id;
}

export async function must<T>(caller: Caller, method: string, path: string, json?: unknown): Promise<T> {
  const answer = await caller.call(method, path, json === undefined ? {} : { json });
  if (answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return (answer.text === "" ? undefined : JSON.parse(answer.text)) as T;
}

export async function listAll<T>(caller: Caller, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = `limit=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: { items: T[]; nextCursor: string | null } = await must(
      caller,
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}${query}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

export async function liftLimits(caller: Caller): Promise<void> {
  const { values } = await must<{ values: Record<string, unknown> }>(caller, "GET", "/api/admin/settings");
  const wanted: Record<string, unknown> = {
    requestsPerMinute: 1_000_000,
    runsPerMinute: 1_000_000,
    importsPerHour: 100_000,
    safeWithoutSandbox: true,
    mutatingWithoutSandbox: true,
    warmStarts: false,
  };
  const known = Object.entries(wanted).filter(([key, value]) => key in values && values[key] !== value);
  if (known.length > 0) await must(caller, "PATCH", "/api/admin/settings", Object.fromEntries(known));
}
