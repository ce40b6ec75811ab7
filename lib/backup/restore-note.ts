import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { IsoTime } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";

const FILE = "restored.json";
const Note = z.object({ backup: z.string(), madeAt: IsoTime, auditSeq: z.number().int(), restoredAt: IsoTime });
type Note = z.infer<typeof Note>;

/** Writes a note into a restored directory; its database cannot know of the restore. */
export async function writeRestoreNote(dataDir: string, note: Note): Promise<void> {
  await writeFile(join(dataDir, FILE), `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
}

/** Records a restore, and the lost period, at the first start after it. */
export async function recordRestore(ctx: Ctx): Promise<void> {
  const file = join(ctx.database.keyFolder, FILE);
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return;
  const note = Note.parse(JSON.parse(text));
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "backup.restore",
      summary: `was restored from the backup ${note.backup}; changes between ${note.madeAt} and ${note.restoredAt} are lost`,
      target: { kind: "backup", id: note.backup, name: note.backup },
      data: note,
    }),
  );
  await rm(file, { force: true });
}
