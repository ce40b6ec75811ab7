import { z } from "zod";
import { backUp, listBackups } from "@/lib/backup/back-up";
import { Backup, BackupList } from "@/lib/backup/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "The backups of this instance, and when the next is made",
  answer: BackupList,
  handle: ({ ctx }) => listBackups(ctx),
});

export const POST = route({
  access: "admin",
  summary: "Make a backup now; answers when it is on the disk and was checked",
  body: z.strictObject({}),
  answer: Backup,
  status: 201,
  handle: ({ ctx }) => backUp(ctx),
});
