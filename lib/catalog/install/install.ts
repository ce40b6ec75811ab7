import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { createArchiveBudget } from "@/lib/skill-format/archive/archive-entry";
import { presentSkills } from "@/lib/skills/get-skill";
import { requireOwnerKey, requireSkill } from "@/lib/skills/skill-access";
import { assertImportQuota } from "@/lib/skills/versions/store-version";
import { visibleCatalog } from "../browse/visible-catalog";

import { planDependencies } from "./plan-dependencies";
import { type ProgressTracker, trackProgress } from "./progress";
import { type EntryWithSource, listedFiles, type ReadFolder, readFolder } from "./read-folder";
import type { InstallAnswer, InstallInput, InstallReport } from "./schema";
import { storeFolder } from "./store-folder";

type InstallOptions = { retryDelayMs?: number };

/**
 * Installs an entry, or all entries of a pack in one transaction, as disabled skills with pending versions. In a pack,
 * blocked entries and those whose name is taken are reported and skipped; a single one is refused. When a file cannot
 * be read, nothing is stored. Known bytes create no version. What an entry needs (`planDependencies`) is installed with it; `conflict` when that
 * is not possible, unless the input says to ignore it.
 */
export async function install(ctx: Ctx, input: InstallInput, options: InstallOptions = {}): Promise<InstallAnswer> {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, input.owner);
  await assertImportQuota(ctx, actor.userId);
  const found = await findEntries(ctx, input.id);
  const { wanted, unmet } =
    input.dependencies === "ignore" ? { wanted: found, unmet: [] } : await addNeeded(ctx, found, ownerKey);
  const progress = trackProgress(actor.userId, input.progressId);
  try {
    const { folders, refused } = await readAll(ctx, wanted, progress, options);
    const reports = await inTransaction(ctx, async (tx, txCtx) => {
      const done: InstallReport[] = [...unmet, ...refused];
      for (const folder of folders) {
        const stored = await storeFolder(tx, txCtx, actor, folder, { ownerKey, packId: wanted.pack?.id ?? null }).catch(
          (error: unknown) => ({ report: refusal(ctx, folder, skippableError(wanted, error)) }),
        );
        done.push(stored.report);
      }
      return done;
    });
    assertAny(reports);
    const ids = [...new Set(reports.flatMap(({ skillId }) => skillId ?? []))];
    const rows = await Promise.all(ids.map((id) => requireSkill(ctx, id)));
    progress.end(null);
    return {
      skills: await presentSkills(ctx, rows),
      reports,
      summary: describeInstall(reports, wanted.pack?.name ?? null),
    };
  } catch (error) {
    progress.end(
      error instanceof AppError
        ? error.message
        : "The installation failed because of an error in Skillgate. The server’s log has the details.",
    );
    throw error;
  }
}

/** Adds what the entries need before them. Of a pack, members whose needs are not met are refused. */
async function addNeeded(ctx: Ctx, { pack, entries }: Wanted, ownerKey: string) {
  const shown = await visibleCatalog(ctx);
  const unmet: InstallReport[] = [];
  const all = new Map<string, EntryWithSource>();
  const spent = { names: 0 };
  for (const placed of entries) {
    const plan = await planDependencies(ctx, shown, placed, ownerKey, spent);
    if (plan.problems.length === 0) for (const one of [...plan.entries, placed]) all.set(one.entry.id, one);
    else {
      const error = new AppError(
        "conflict",
        `“${placed.entry.name}” needs skills that cannot be installed with it: ${plan.problems.join(" ")}`,
        { errors: plan.problems.map((message) => ({ path: "dependencies", message })) },
      );
      if (pack === null) throw error;
      unmet.push(refusal(ctx, placed, error));
    }
  }
  return { wanted: { pack, entries: [...all.values()] }, unmet };
}

async function readAll(ctx: Ctx, wanted: Wanted, progress: ProgressTracker, options: InstallOptions) {
  const folders: ReadFolder[] = [];
  const refused: InstallReport[] = [];
  const open: EntryWithSource[] = [];
  for (const placed of wanted.entries) {
    if (placed.entry.blockedCode === null) open.push(placed);
    else refused.push(refusal(ctx, placed, blockedError(placed)));
  }
  if (wanted.pack === null && refused[0]) throw new AppError("invalid", refused[0].notes[0]?.message ?? "");
  for (const { entry } of open) progress.expect(listedFiles(entry).filter((file) => file.kind !== "submodule").length);
  const budget = createArchiveBudget();
  for (const placed of open) {
    try {
      folders.push(await readFolder(ctx, placed, { ...options, budget, onRead: progress.read }));
    } catch (error) {
      refused.push(refusal(ctx, placed, skippableError(wanted, error, ["invalid", "archive_rejected"])));
    }
  }
  return { folders, refused };
}

function blockedError({ entry }: EntryWithSource): AppError {
  return new AppError("invalid", `“${entry.name}” cannot be installed: ${entry.blockedReason ?? entry.blockedCode}`);
}

/** Returns the error when it only skips one entry of a pack; throws it otherwise. */
function skippableError(wanted: Wanted, error: unknown, codes: AppError["code"][] = ["conflict"]): AppError {
  if (wanted.pack !== null && error instanceof AppError && codes.includes(error.code)) return error;
  throw error;
}

function refusal(ctx: Ctx, { entry }: EntryWithSource, reason: AppError): InstallReport {
  return {
    entryId: entry.id,
    skillId: null,
    name: entry.name,
    folder: entry.folder,
    outcome: "refused",
    files: entry.filesCount,
    bytes: entry.bytes,
    notes: [{ code: entry.blockedCode ?? reason.code, severity: "error", message: reason.message }],
    commit: entry.commit,
    at: ctx.now().toISOString(),
  };
}

function assertAny(reports: InstallReport[]): void {
  if (reports.some(({ outcome }) => outcome !== "refused")) return;
  const reasons = reports.flatMap(({ folder, notes }) => notes.map(({ message }) => ({ path: folder, message })));
  throw new AppError("invalid", `No skill of this pack can be installed. ${reasons[0]?.message ?? ""}`.trim(), {
    errors: reasons,
  });
}

function describeInstall(reports: InstallReport[], packName: string | null): string {
  const having = (outcome: InstallReport["outcome"]) => reports.filter((report) => report.outcome === outcome);
  const [installed, updated] = [having("installed"), having("updated")];
  const [known, refused] = [having("known"), having("refused")];
  const files = [...installed, ...updated].reduce((sum, report) => sum + report.files, 0);
  const parts = [
    installed.length > 0 && `${count(installed.length, "skill")} installed`,
    updated.length > 0 && `${count(updated.length, "skill")} updated`,
    known.length > 0 && `${known.length} installed already`,
    refused.length > 0 && `${refused.length} left out`,
  ].filter((part) => part !== false);
  const what = packName === null ? "" : `${packName}: `;
  const waits = files > 0 ? ` (${count(files, "file")}). Off until a reviewer approves.` : ".";
  return `${what}${parts.join(", ")}${waits}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

type Wanted = { pack: { id: string; name: string } | null; entries: EntryWithSource[] };

/** `not_found` when the caller cannot see the entry or pack, `conflict` when it was removed upstream. */
async function findEntries(ctx: Ctx, id: string): Promise<Wanted> {
  const shown = await visibleCatalog(ctx);
  const sourceOf = (sourceId: string) => shown.sources.find((source) => source.id === sourceId);
  const pack = await ctx.db.catalogPack.findUnique({ where: { id }, select: { id: true, name: true, sourceId: true } });
  const members = (pack ? (shown.snapshot.packs.get(pack.id) ?? []) : []).flatMap(
    (at) => shown.snapshot.entries[at]?.id ?? [],
  );
  const rows = await ctx.db.catalogEntry.findMany({
    where: { id: { in: pack ? members : [id] } },
    orderBy: { folder: "asc" },
  });
  const entries = rows.flatMap((entry) => {
    const source = sourceOf(entry.sourceId);
    return source && entry.state === "present" ? [{ entry, source }] : [];
  });
  const [gone] = rows;
  if (entries.length === 0 && gone && sourceOf(gone.sourceId)) {
    throw new AppError("conflict", `“${pack?.name ?? gone.name}” is no longer in its repository.`);
  }
  if (entries.length === 0)
    throw new AppError("not_found", `The catalog has no entry and no pack “${id.slice(0, 100)}”.`);
  return { pack: pack && { id: pack.id, name: pack.name }, entries };
}
