import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Finding } from "@/lib/db/generated/client";

/** Rules for characters that nobody sees: tags, direction controls, zero width, variation selectors. */
const HIDDEN_TEXT_RULES = ["HID-001", "HID-002", "HID-003", "HID-004"];

/**
 * Whoever approves a version with hidden characters says why, in the comment; `invalid` otherwise. Findings that were
 * dismissed have their reason already.
 */
export async function assertHiddenTextExplained(ctx: Ctx, version: { id: string }, comment: string): Promise<void> {
  const open = await findUnexplainedText(ctx, version, comment);
  if (open === null) return;
  throw new AppError(
    "invalid",
    `${open.path} has hidden characters in line ${open.line} (${open.rule}): say in the comment why you approve them.`,
    { errors: [{ path: "comment", message: "is needed: the version has hidden characters" }] },
  );
}

/** The first finding of hidden characters that neither a comment nor a dismissal explains; null when there is none. */
export async function findUnexplainedText(ctx: Ctx, version: { id: string }, comment: string): Promise<Finding | null> {
  if (comment !== "") return null;
  const found = await ctx.db.finding.findMany({
    where: { versionId: version.id, rule: { in: HIDDEN_TEXT_RULES } },
    orderBy: { position: "asc" },
  });
  const dismissed = await ctx.db.findingDismissal.findMany({ where: { versionId: version.id } });
  return found.find((finding) => !dismissed.some(({ fingerprint }) => fingerprint === finding.fingerprint)) ?? null;
}
