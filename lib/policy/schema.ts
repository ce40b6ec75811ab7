import { z } from "zod";

/** What an agent under a persona may run. Classes that a mode does not name are refused. */
export const PermissionMode = z.enum(["read-only", "mutating-with-confirm", "dual-sign-required"]);
export type PermissionMode = z.infer<typeof PermissionMode>;
