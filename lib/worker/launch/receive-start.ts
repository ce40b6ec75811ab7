import { z } from "zod";
import { SettingsError } from "@/lib/worker/settings-error";

const StartMessage = z.object({
  type: z.literal("start"),
  url: z.string(),
  token: z.string(),
  name: z.string().optional(),
  workDir: z.string().optional(),
  /** Folders and files of the server that no run may see. */
  hidden: z.array(z.string()).optional(),
});
export type StartMessage = z.infer<typeof StartMessage>;

/** The launcher's first message. Throws when there is no launcher, or when its message is not a start. */
export async function receiveStart(): Promise<StartMessage> {
  if (!process.send)
    throw new SettingsError("--supervised is for a launcher that forks the worker with an IPC channel.");
  const message = await new Promise<unknown>((resolve) => process.once("message", resolve));
  const parsed = StartMessage.safeParse(message);
  // Without the message's content, which may hold the token.
  if (!parsed.success) throw new SettingsError("The launcher's first message is not a start message.");
  return parsed.data;
}
