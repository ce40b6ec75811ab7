import type { z } from "zod";
import type { ApiTokenPage, CreatedToken, CreateTokenInput } from "@/lib/auth/schema";
import type { CapabilityUrlPage, CreateCapabilityUrlInput, CreatedCapabilityUrl } from "@/lib/distribution/schema";
import { answerOf, listOf, sendDelete, sendPost } from "./api";
import { answerQuery } from "./queries";

export const tokensQuery = answerQuery(["tokens"], "/api/tokens?limit=100", listOf<z.infer<typeof ApiTokenPage>>(), {
  staleTime: 10_000,
});

export const createToken = (input: CreateTokenInput) => sendPost("/api/tokens", answerOf<CreatedToken>(), input);

export const revokeToken = (id: string) => sendDelete(`/api/tokens/${id}`);

export const capabilityUrlsQuery = answerQuery(
  ["capability-urls"],
  "/api/capability-urls?limit=100",
  listOf<z.infer<typeof CapabilityUrlPage>>(),
  { staleTime: 10_000 },
);

export const createCapabilityUrl = (input: CreateCapabilityUrlInput) =>
  sendPost("/api/capability-urls", answerOf<CreatedCapabilityUrl>(), input);

export const revokeCapabilityUrl = (id: string) => sendDelete(`/api/capability-urls/${id}`);
