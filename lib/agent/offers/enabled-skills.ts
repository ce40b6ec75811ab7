import type { z } from "zod";
import { examplesOf } from "@/lib/agent/overlays/read-overlays";
import type { OverlayExample } from "@/lib/agent/overlays/schema";
import { parseJsonColumn } from "@/lib/core/json";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import type { Skill, Version } from "@/lib/db/generated/client";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { query, sqlOf } from "@/lib/db/sql";
import type { SkillAddress } from "@/lib/policy/eligibility/find-entry";
import { schemaErrorsAt } from "@/lib/skill-format/arguments/args-schema";
import { callSchema } from "@/lib/skill-format/arguments/call-arguments";
import { capDescription, capLabel } from "@/lib/skill-format/cap-description";
import { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { isPipeline, type JsonObject, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { addressOfStored } from "@/lib/skills/access/judge-stored-skill";
import { mayBeOwnerApproved } from "@/lib/skills/approval/owner-approval";
import { isAgentFile } from "@/lib/skills/versions/agent-file-access";
import { readGrants } from "@/lib/skills/versions/present-decisions";

const Offered = SkillManifest.pick({
  kind: true,
  description: true,
  whenToUse: true,
  schema: true,
  always: true,
  tags: true,
  userInvocable: true,
  disableModelInvocation: true,
  allowedTools: true,
  disallowedTools: true,
  contextFork: true,
  entry: true,
  argumentHint: true,
  arguments: true,
  agent: true,
  model: true,
  activation: true,
  requirements: true,
  steps: true,
  overlay: true,
});

type Row = Pick<Skill, "id" | "name" | "slug" | "toolName" | "label" | "class" | "scope" | "resultPreview"> &
  Pick<Skill, "ownerKey" | "ownerId" | "source" | "sourceId" | "visibility" | "runnable" | "listed"> &
  Pick<
    Version,
    "createdById" | "submittedById" | "digest" | "state" | "manifest" | "provenance" | "grants" | "entry"
  > & {
    versionId: string;
  };

const ENABLED = query<Row>(
  `SELECT s."id", s."name", s."slug", s."toolName", s."label", s."class", s."scope", s."resultPreview", s."ownerKey",
     s."ownerId", s."source", s."sourceId", s."visibility", s."runnable", s."listed", v."id" AS "versionId", v."createdById",
     v."submittedById", v."digest", v."state", v."manifest", v."provenance", v."grants", v."entry"
   FROM "Skill" s JOIN "Version" v ON v."id" = s."currentId"
   WHERE s."enabled" = ? AND s."deletedAt" IS NULL ORDER BY s."id"`,
  { runnable: "flag", listed: "flag" },
);
type Statement = { versionId: string; standing: string | null; statement: string | null };
const STATEMENTS = query<Statement>(
  `SELECT d."versionId", d."standing", d."statement" FROM "Skill" s JOIN "Decision" d ON d."versionId" = s."currentId"
   WHERE s."enabled" = ? AND s."deletedAt" IS NULL AND d."standing" = 'counts'`,
);
type MarkerFile = { path: string; mode: string; size: number; isText: boolean };
const MARKERS = query<MarkerFile & { versionId: string }>(
  `SELECT f."versionId", f."path", f."mode", f."size", f."isText" FROM "Skill" s JOIN "VersionFile" f ON f."versionId" = s."currentId"
   WHERE s."enabled" = ? AND s."deletedAt" IS NULL AND LOWER(f."path") IN ('skill.md', 'skill.json', 'skill.toml')`,
  { isText: "flag" },
);

type OfferedOverlay = { optimizer: string | null; fewShot: { input: string; output: string }[] };

/** An enabled skill with the content of its active version, before any check whether a caller is offered it. */
export type EnabledSkill = Omit<
  Row,
  "class" | "scope" | "manifest" | "provenance" | "grants" | "entry" | "versionId" | "createdById" | "submittedById"
> & {
  class: SkillClass;
  scope: "manager" | "host";
  /** The description may come from an overlay. Description, `whenToUse`, `argumentHint` and label are capped. */
  manifest: Omit<z.infer<typeof Offered>, "overlay">;
  /** An optimiser's overlay; `manifest` contains its description already. */
  overlay: OfferedOverlay | null;
  address: SkillAddress;
  marker: string;
  /** Agents may read the main file: it is text of at most 256 KiB. */
  isMarkerReadable: boolean;
  /** The skill has text for `use_skill`; others can only be called as tools. */
  hasPlaybook: boolean;
  /** Schema for callers; null without arguments. For a pipeline, as its own files declare it. */
  callSchema: JsonObject | null;
  isPipeline: boolean;
  /** Why the argument schema, approved by an older release, is invalid; null for a valid one. */
  schemaProblem: string | null;
  hasNetwork: boolean;
  mayReadScripts: boolean;
  /** The owner approved it alone, so only the owner's agents are offered it. */
  isForOwnUse: boolean;
};

type Kept = { revision: number; skills: Promise<EnabledSkill[]> };

/** All enabled skills of all owners, with their revision. Cached until a change that agents could notice. */
export async function enabledSkills(ctx: Ctx): Promise<{ revision: number; skills: EnabledSkill[] }> {
  const kept = processStore("enabled-skills", () => new WeakMap<object, Kept>());
  // Read first: the skills are then at least as new as this revision.
  const revision = await readOfferRevision(ctx);
  if (ctx.tx) return { revision, skills: await readEnabled(ctx) };
  const known = kept.get(ctx.database);
  if (known?.revision === revision) return { revision, skills: await known.skills };
  const skills = readEnabled(ctx);
  kept.set(ctx.database, { revision, skills });
  skills.catch(() => kept.delete(ctx.database));
  return { revision, skills: await skills };
}

async function readEnabled(ctx: Ctx): Promise<EnabledSkill[]> {
  const rows = await sqlOf(ctx).all(ENABLED, true);
  const order = ["SKILL.TOML", "SKILL.JSON", "SKILL.MD"];
  const rank = ({ path }: MarkerFile) => order.indexOf(path.toUpperCase()) + (path === "SKILL.md" ? 1 : 0);
  const markers = new Map<string, MarkerFile[]>();
  for (const { versionId, ...file } of (await sqlOf(ctx).all(MARKERS, true)).sort((a, b) => rank(a) - rank(b))) {
    markers.set(versionId, [...(markers.get(versionId) ?? []), file]);
  }
  const counting = new Map<string, Statement[]>();
  for (const one of await sqlOf(ctx).all(STATEMENTS, true)) {
    const others = counting.get(one.versionId);
    if (others === undefined) counting.set(one.versionId, [one]);
    else others.push(one);
  }
  const overlays = await activeOverlays(ctx, rows);
  return rows.map((row) => {
    const { manifest: text, provenance, grants, entry, versionId, createdById, submittedById, ...plain } = row;
    const { overlay: own, ...read } = parseJsonColumn(Offered, text);
    const decided = entry === null ? null : parseJsonColumn(ScriptEntry, entry);
    const given = overlays.get(row.id);
    const manifest = {
      ...read,
      ...(decided === null ? {} : { entry: decided.path, schema: decided.schema }),
      description: capDescription(given?.description || read.description),
      whenToUse: read.whenToUse && capDescription(read.whenToUse),
      argumentHint: read.argumentHint && capLabel(read.argumentHint),
    };
    const scope = row.scope === "host" ? "host" : "manager";
    const granted = readGrants(grants);
    const network = granted?.network ?? false;
    const markerFile = markerOf(read.kind, markers.get(versionId) ?? []);
    const marker = markerFile?.path ?? "SKILL.md";
    return {
      ...plain,
      label: plain.label && capLabel(plain.label),
      class: SkillClass.catch("dangerous").parse(row.class),
      scope,
      manifest,
      overlay: given ?? (own === null ? null : { optimizer: own.optimizer, fewShot: own.fewShot }),
      address: addressOfStored({ ...plain, current: { provenance }, pending: null }, marker),
      marker,
      hasPlaybook: marker.toLowerCase() === "skill.md",
      isMarkerReadable: markerFile !== undefined && isAgentFile(markerFile, { mayScripts: false }),
      callSchema: callSchema({ scope, schema: manifest.schema }),
      isPipeline: isPipeline(manifest),
      schemaProblem: saySchemaProblem(manifest.schema),
      hasNetwork: network === true || (Array.isArray(network) && network.length > 0),
      mayReadScripts: granted?.scripts === true,
      isForOwnUse: mayBeOwnerApproved({
        skill: row,
        version: { createdById, submittedById, decisions: counting.get(versionId) ?? [] },
      }),
    };
  });
}

/** The main file: SKILL.md before skill.json before skill.toml; `skill.json` only in a pack. */
function markerOf(kind: SkillManifest["kind"], files: readonly MarkerFile[]): MarkerFile | undefined {
  return files.findLast(({ path }) => kind === "pack" || path.toLowerCase() !== "skill.json");
}

function saySchemaProblem(schema: JsonObject | null): string | null {
  const [wrong] = schemaErrorsAt("schema", schema);
  return wrong === undefined ? null : `Its schema is invalid. ${wrong.path}: ${wrong.message}`;
}

type Serving = { id: string; digest: string };
type ActiveOverlay = { id: string; optimizer: string; description: string | null; fewShot: OverlayExample[] };

/** Approved overlays by skill; an overlay for another version than the active one is left out. */
export async function activeOverlays(ctx: Ctx, skills: Serving[]): Promise<Map<string, ActiveOverlay>> {
  const serving = new Map(skills.map(({ id, digest }) => [id, digest]));
  const rows = await ctx.db.overlay.findMany({ where: { state: "approved" } });
  return new Map(
    rows
      .filter(({ skillId, baseDigest }) => serving.get(skillId) === baseDigest)
      .map((row) => [
        row.skillId,
        { id: row.id, optimizer: row.optimizer, description: row.description, fewShot: examplesOf(row) },
      ]),
  );
}
