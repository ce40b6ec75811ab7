import { z } from "zod";

/** What an agent that acts under a persona may run. What a mode does not name is refused. */
export const PermissionMode = z.enum(["read-only", "mutating-with-confirm", "dual-sign-required"]);
export type PermissionMode = z.infer<typeof PermissionMode>;
