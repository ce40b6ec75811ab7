import { cache } from "react";
import type { SignInWays } from "@/lib/auth/providers/schema";
import { createCtx } from "@/lib/db/context";
import { getDatabase } from "@/lib/db/open-database";
import { getSignInWays } from "./sign-in-rules";

export const pageSignInWays = cache(
  async (): Promise<SignInWays> =>
    getSignInWays(createCtx({ actor: { kind: "anonymous" }, database: await getDatabase() })),
);
