import { z } from "zod";
import { type PersonActor, Role } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { Grants } from "@/lib/policy/grants/schema";
import { CLASS_TERMS } from "@/lib/policy/propose-class";
import { requireScope } from "@/lib/policy/require-scope";
import { PermissionMode } from "@/lib/policy/schema";
import { whyNotSignRun } from "@/lib/policy/signatures-needed";
import { presentRuns } from "@/lib/runner/runs/get-run";
import { runsVisibleTo } from "@/lib/runner/runs/load-runs";
import type { ApprovalItem, ListApprovalsQuery, Run } from "@/lib/runner/schema";
import { getSettings } from "@/lib/settings/settings";
import { SkillClass } from "@/lib/skill-format/schema";
import { isSoloFor, whyNotDecide } from "./run-signatures";
import { presentSops } from "./sops";

const MAX_SIGNERS = 20;

const withApproval = {
  skill: true,
  version: { select: { number: true, grants: true } },
  worker: { select: { id: true, name: true } },
  decisions: true,
} satisfies Prisma.RunInclude;

type Row = Prisma.RunGetPayload<{ include: typeof withApproval }>;

type Viewer = { actor: PersonActor; soloMode: boolean };

type Named = Awaited<ReturnType<typeof readNamed>>;

const BATCH = 200;

/** Parked runs, oldest first; by default those that wait for the caller's own decision. */
export async function listApprovals(ctx: Ctx, query: ListApprovalsQuery): Promise<Page<ApprovalItem>> {
  const actor = requireScope(ctx.actor, "read");
  const { soloMode } = await getSettings(ctx);
  const after = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const found = await findWaiting(ctx, { ...query, actor, soloMode, after, wanted: query.limit + 1 });
  const page = toPage(found, query.limit, (row) => row.id);
  return { items: await presentApprovals(ctx, page.items, { actor, soloMode }), nextCursor: page.nextCursor };
}

/** How many runs wait for the caller's decision, counted up to 100. */
export async function countApprovals(ctx: Ctx): Promise<number> {
  const actor = requireScope(ctx.actor, "read");
  if ((await ctx.db.run.count({ where: waiting(ctx, actor) })) === 0) return 0;
  const { soloMode } = await getSettings(ctx);
  return (await findWaiting(ctx, { actor, soloMode, show: "mine", after: null, wanted: 100 })).length;
}

type Search = {
  actor: PersonActor;
  soloMode: boolean;
  show: ListApprovalsQuery["show"];
  run?: string | undefined;
  after: string | null;
  wanted: number;
};

async function findWaiting(ctx: Ctx, { actor, soloMode, show, run, after, wanted }: Search) {
  const found: Row[] = [];
  const asked = { ...(show === "asked" ? { callerId: actor.userId } : {}), ...(run === undefined ? {} : { id: run }) };
  for (let last = after; found.length < wanted; ) {
    const rows = await ctx.db.run.findMany({
      where: { AND: [waiting(ctx, actor), asked, last === null ? {} : { id: { gt: last } }] },
      orderBy: { id: "asc" },
      take: BATCH,
      include: withApproval,
    });
    found.push(...rows.filter((row) => show !== "mine" || waitsFor(actor, row, soloMode)));
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) break;
  }
  return found.slice(0, wanted);
}

function waiting(ctx: Ctx, actor: PersonActor): Prisma.RunWhereInput {
  return { AND: [{ state: "awaiting_approval", expiresAt: { gt: ctx.now() } }, runsVisibleTo(actor)] };
}

type WaitingRow = Parameters<typeof whyNotDecide>[1] & { decisions: { actorId: string }[] };

function waitsFor(actor: PersonActor, row: WaitingRow, soloMode: boolean): boolean {
  if (row.decisions.some((decision) => decision.actorId === actor.userId)) return false;
  return whyNotDecide(actor, row, soloMode) === null;
}

async function presentApprovals(ctx: Ctx, rows: Row[], viewer: Viewer): Promise<ApprovalItem[]> {
  if (rows.length === 0) return [];
  const runs = await presentRuns(ctx, rows);
  const named = await readNamed(ctx, rows);
  return rows.map((row, index) => {
    const run = runs[index];
    if (!run) throw new Error("presenting the runs left one out");
    return presentOne(row, run, named, viewer);
  });
}

async function readNamed(ctx: Ctx, rows: Row[]) {
  const ids = (pick: (row: Row) => string | null) => rows.map(pick).filter((id) => id !== null);
  const [personas, sops, workers, signers] = await Promise.all([
    ctx.db.persona.findMany({ where: { id: { in: ids((row) => row.personaId) } } }),
    ctx.db.sop.findMany({ where: { id: { in: ids((row) => row.sopId) } } }),
    ctx.db.worker.findMany({ where: { id: { in: ids((row) => row.targetWorker) } } }),
    ctx.db.user.findMany({
      where: { state: "active", OR: [{ role: { not: "user" } }, { id: { in: ids((row) => row.callerId) } }] },
      orderBy: { name: "asc" },
    }),
  ]);
  return { personas, sops: await presentSops(ctx, sops), workers, signers };
}

function presentOne(row: Row, run: Run, named: Named, { actor, soloMode }: Viewer): ApprovalItem {
  const { approval } = run;
  if (!approval) throw new Error(`run ${row.id} waits without having been parked`);
  const grants = parseJsonColumn(Grants, row.version.grants ?? "{}");
  const persona = named.personas.find(({ id }) => id === row.personaId);
  const target = named.workers.find(({ id }) => id === row.targetWorker);
  return {
    ...run,
    approval,
    skill: { ...run.skill, description: row.skill.description, toolName: row.skill.toolName },
    asks: {
      person: { id: row.callerId, name: row.callerName },
      token: run.caller.token ?? null,
      persona: run.caller.persona
        ? { ...run.caller.persona, permissionMode: persona ? PermissionMode.parse(persona.permissionMode) : null }
        : null,
    },
    argsDigest: row.argsDigest,
    classMeaning: CLASS_TERMS[run.class].meaning,
    grants,
    touches: [...describeTouches(grants), `Takes at most ${run.timeoutMs / 1000} s.`],
    targetWorker: target ? { id: target.id, name: target.name } : null,
    maySign: signersOf(row, named, soloMode),
    you: viewerOf(row, actor, soloMode),
    sop: named.sops.find(({ id }) => id === row.sopId) ?? null,
  };
}

function signersOf(row: Row, named: Named, soloMode: boolean): ApprovalItem["maySign"] {
  const signed = new Set(row.decisions.map(({ actorId }) => actorId));
  const mayStill = named.signers.filter(({ id, role }) => {
    const signer = { userId: id, canReview: Role.parse(role) !== "user", isAgent: false };
    const question = { class: SkillClass.parse(row.class), callerId: row.callerId, soloMode: isSoloFor(row, soloMode) };
    return !signed.has(id) && whyNotSignRun({ ...question, signer }) === null;
  });
  return mayStill.slice(0, MAX_SIGNERS).map(({ id, name }) => ({ id, name }));
}

function viewerOf(row: Row, actor: PersonActor, soloMode: boolean): ApprovalItem["you"] {
  const hasSigned = row.decisions.some(({ actorId }) => actorId === actor.userId);
  const whyNot = hasSigned
    ? "You have approved this run. Other people must approve it too."
    : whyNotDecide(actor, row, soloMode)?.reason;
  return { maySign: whyNot === undefined, whyNot: whyNot ?? null };
}

function describeTouches(grants: Grants): string[] {
  const sentences = [networkSentence(grants.network)];
  if (grants.env && grants.env.length > 0)
    sentences.push(`Reads these variables of the worker: ${grants.env.join(", ")}.`);
  for (const { credential, as, name } of grants.credentials ?? [])
    sentences.push(`Gets the credential ${credential} as the ${as === "env" ? "variable" : "file"} ${name}.`);
  for (const { path, mode } of grants.paths ?? [])
    sentences.push(`${mode === "rw" ? "Reads and writes" : "Reads"} ${path}.`);
  if (grants.workspace) sentences.push("Reads and writes the files of its session’s workspace.");
  if (grants.scripts) sentences.push("Executes the scripts of the skill.");
  if (grants.namespaces && grants.namespaces.length > 0) {
    sentences.push(`Shares these namespaces of the host: ${grants.namespaces.join(", ")}.`);
  }
  if (grants.capabilities && grants.capabilities.length > 0) {
    sentences.push(`Has these Linux capabilities: ${grants.capabilities.join(", ")}.`);
  }
  return sentences;
}

function networkSentence(network: Grants["network"]): string {
  if (network === true) return "Reaches any address that the worker’s operator allows.";
  if (Array.isArray(network) && network.length > 0) return `Reaches only these hosts: ${network.join(", ")}.`;
  return "No network access.";
}
