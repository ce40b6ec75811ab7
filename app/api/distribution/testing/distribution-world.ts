import { createHash } from "node:crypto";
import JSZip from "jszip";
import * as capabilityUrl from "@/app/api/capability-urls/[id]/route";
import * as capabilityUrls from "@/app/api/capability-urls/route";
import * as artifacts from "@/app/api/distribution/artifacts/[scope]/[name]/[...path]/route";
import * as clientActivity from "@/app/api/distribution/client-activity/route";
import * as wellKnown from "@/app/api/distribution/well-known/[scope]/[format]/[...path]/route";
import { ADDRESSES } from "@/app/api/generated/addresses";
import * as search from "@/app/api/search/route";
import * as skill from "@/app/api/skills/[id]/route";
import type { Role } from "@/lib/core/actor";
import { createCtx } from "@/lib/db/context";
import { addressTable } from "@/lib/http/router/find-address";
import { decideVersion } from "@/lib/review/decide-version";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { publisherOf } from "@/lib/skills/community/publishers";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { SecondIndex } from "./wire-format";

const withHead = <M extends { GET: unknown }>(module: M) => ({ ...module, HEAD: module.GET });

/**
 * Returns the distribution endpoints over a real database, people with tokens, and a client that installs as the `skills` CLI
 * does. `more` adds routes.
 */
export async function distributionWorld(more: Parameters<typeof testServer>[0] = []) {
  const server = await testServer([
    ...more,
    ["/api/distribution/well-known/[scope]/[format]/[...path]", withHead(wellKnown)],
    ["/api/distribution/artifacts/[scope]/[name]/[...path]", withHead(artifacts)],
    ["/api/distribution/client-activity", clientActivity],
    ["/api/search", withHead(search)],
    ["/api/skills/[id]", skill],
    ["/api/capability-urls", capabilityUrls],
    ["/api/capability-urls/[id]", capabilityUrl],
  ]);

  const find = addressTable(ADDRESSES);
  /** Rewrites the public address to the path of a route file first, as the router does. */
  const ask = (path: string, options: Parameters<typeof server.call>[2] & { method?: string } = {}) =>
    server.call(options.method ?? "GET", find(path).endpoint?.target ?? path, options);

  const person = async (role: Role = "user") => {
    const { id, token } = await server.person(role);
    const user = await server.database.writer.user.findUniqueOrThrow({ where: { id } });
    const actor = { kind: "user" as const, userId: id, name: user.name, email: user.email, role, sessionId: id };
    return { id, token, ctx: createCtx({ actor, database: server.database }) };
  };
  const admin = await person("admin");

  type Shape = { name: string; files: SkillFile[]; visibility?: "public" | "private"; owner?: "me" | "org" };
  /** Imports, approves as an admin, shares and enables a skill. */
  const publish = async (by: Awaited<ReturnType<typeof person>>, shape: Shape) => {
    const upload = await zipUpload(shape.name, shape.files);
    const [skill] = (await importSkills(by.ctx, { ...upload, owner: shape.owner ?? "me" })).skills;
    const digest = skill?.pendingVersion?.digest;
    if (!skill || !digest) throw new Error("nothing was imported");
    await decideVersion(admin.ctx, skill.id, digest, { decision: "approve", comment: "" });
    await updateSkill(admin.ctx, skill.id, { visibility: shape.visibility ?? "public", enabled: true });
    const { handle } = await publisherOf(by.ctx, { ownerKey: shape.owner === "org" ? "org" : by.id });
    return { id: skill.id, digest, handle };
  };

  const readIndex = async (scope = "", options: Parameters<typeof server.call>[2] = {}) => {
    const response = await ask(`${scope}/.well-known/agent-skills/index.json`, options);
    if (response.status !== 200) throw new Error(`the index answered ${response.status}`);
    return SecondIndex.parse(await response.json());
  };

  /** Fetches all skills of an index, and leaves out those with another digest or with an archive that the CLI refuses. */
  const install = async (scope = "", options: Parameters<typeof server.call>[2] = {}) => {
    const { skills } = await readIndex(scope, options);
    const entries = await Promise.all(
      skills.map(async ({ name, type, url, digest }) => {
        const response = await ask(url, options);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const isIntact = digest === `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
        if (response.status !== 200 || !isIntact || response.headers.has("content-encoding")) return [];
        const files = type === "archive" ? await unzip(bytes) : { "SKILL.md": new TextDecoder().decode(bytes) };
        return [[name, files] as const];
      }),
    );
    return Object.fromEntries(entries.flat());
  };

  return { ...server, ask, person, admin, publish, readIndex, install };
}

async function unzip(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true });
  const names = Object.keys(zip.files);
  if (!names.includes("SKILL.md") || names.some((name) => name.startsWith("./"))) return {};
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await zip.file(name)?.async("text")) ?? ""])),
  );
}
