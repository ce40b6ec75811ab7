import { ApiTokenPage, CreatedToken, type CreateTokenInput } from "@/lib/auth/schema";
import { CapabilityUrlPage, type CreateCapabilityUrlInput, CreatedCapabilityUrl } from "@/lib/distribution/schema";
import { sendDelete, sendPost } from "./api";
import { answerQuery } from "./queries";

export const tokensQuery = answerQuery(["tokens"], "/api/tokens?limit=100", ApiTokenPage, { staleTime: 10_000 });

export const createToken = (input: CreateTokenInput) => sendPost("/api/tokens", CreatedToken, input);

export const revokeToken = (id: string) => sendDelete(`/api/tokens/${id}`);

export const capabilityUrlsQuery = answerQuery(
  ["capability-urls"],
  "/api/capability-urls?limit=100",
  CapabilityUrlPage,
  { staleTime: 10_000 },
);

export const createCapabilityUrl = (input: CreateCapabilityUrlInput) =>
  sendPost("/api/capability-urls", CreatedCapabilityUrl, input);

export const revokeCapabilityUrl = (id: string) => sendDelete(`/api/capability-urls/${id}`);
