import type { Me } from "@/lib/auth/schema";
import { answerOf } from "./api";
import { answerQuery } from "./queries";

export type Role = Me["user"]["role"];

export const meQuery = answerQuery(["me"], "/api/me", answerOf<Me>(), {
  staleTime: 10_000,
  refetchInterval: 15_000,
  refetchOnWindowFocus: "always",
});
