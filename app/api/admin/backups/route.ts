import { z } from "zod";
import { backUp, listBackups } from "@/lib/backup/back-up";
import { Backup, BackupList } from "@/lib/backup/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "List the backups of this instance and the time of the next one",
  answer: BackupList,
  handle: ({ ctx }) => listBackups(ctx),
});

export const POST = route({
  access: "admin",
  summary: "Create a backup now; answers once it is stored and verified",
  body: z.strictObject({}),
  answer: Backup,
  status: 201,
  handle: ({ ctx }) => backUp(ctx),
});
