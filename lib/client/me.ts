import { Me } from "@/lib/auth/schema";
import { answerQuery } from "./queries";

export type Role = Me["user"]["role"];

export const meQuery = answerQuery(["me"], "/api/me", Me, {
  staleTime: 10_000,
  refetchInterval: 15_000,
  refetchOnWindowFocus: "always",
});
