import { type PersonActor, Role } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { CLASS_WORDS } from "@/lib/policy/class-vocabulary";
import { Grants } from "@/lib/policy/grants/schema";
import { PermissionMode } from "@/lib/policy/schema";
import { whyNotSignRun } from "@/lib/policy/sign-run";
import { SkillClass } from "@/lib/skill-format/schema";
import { isSoloFor } from "./count-signatures";
import { describeTouches } from "./describe-touches";
import { presentRuns } from "./present-run";
import { presentSops } from "./present-sop";
import type { ApprovalItem, Run } from "./schema";
import { whyNotDecide } from "./why-not-decide";

const MAX_SIGNERS = 20;

export const withApproval = {
  skill: true,
  version: { select: { number: true, grants: true } },
  worker: { select: { id: true, name: true } },
  decisions: true,
} satisfies Prisma.RunInclude;
type Row = Prisma.RunGetPayload<{ include: typeof withApproval }>;
type Viewer = { actor: PersonActor; soloMode: boolean };

/** Parked runs with all that somebody needs to decide on them. */
export async function presentApprovals(ctx: Ctx, rows: Row[], viewer: Viewer): Promise<ApprovalItem[]> {
  if (rows.length === 0) return [];
  const runs = await presentRuns(ctx, rows);
  const named = await readNamed(ctx, rows);
  return rows.map((row, index) => {
    const run = runs[index];
    if (!run) throw new Error("presenting the runs left one out");
    return presentOne(row, run, named, viewer);
  });
}

/** Everything the rows name by id, read once for all of them. */
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

type Named = Awaited<ReturnType<typeof readNamed>>;

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
    classMeaning: CLASS_WORDS[run.class].meaning,
    grants,
    touches: describeTouches(grants),
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
  const whyNot = hasSigned ? "You have signed it; it waits for others." : whyNotDecide(actor, row, soloMode)?.reason;
  return { maySign: whyNot === undefined, whyNot: whyNot ?? null };
}
