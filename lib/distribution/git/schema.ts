import { z } from "zod";

/** An address within a repository, as the listener passes it on. */
export const GitParams = z.object({ scope: z.string().max(400), path: z.string().max(300) });
export type GitParams = z.infer<typeof GitParams>;
