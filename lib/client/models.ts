import type { z } from "zod";
import type {
  CreateModelEndpointInput,
  ModelChoices,
  ModelEndpoint,
  ModelEndpointList,
  ModelProbe,
  PatchModelEndpointInput,
} from "@/lib/settings/models/schema";
import { answerOf, listOf, sendDelete, sendPatch, sendPost } from "./api";
import { answerQuery } from "./queries";

export const modelEndpointsQuery = answerQuery(
  ["models", "endpoints"],
  "/api/admin/model-endpoints",
  listOf<ModelEndpointList>(),
  { staleTime: 10_000 },
);

export const modelChoicesQuery = answerQuery(["models", "choices"], "/api/models", answerOf<ModelChoices>(), {
  staleTime: 30_000,
});

export const modelsKey = ["models"] as const;

export const addModelEndpoint = (input: z.input<typeof CreateModelEndpointInput>) =>
  sendPost("/api/admin/model-endpoints", answerOf<ModelEndpoint>(), input);

export const changeModelEndpoint = (id: string, patch: z.input<typeof PatchModelEndpointInput>) =>
  sendPatch(`/api/admin/model-endpoints/${id}`, answerOf<ModelEndpoint>(), patch);

export const removeModelEndpoint = (id: string) => sendDelete(`/api/admin/model-endpoints/${id}`);

export const probeModelEndpoint = (id: string) =>
  sendPost(`/api/admin/model-endpoints/${id}/probe`, answerOf<ModelProbe>());
