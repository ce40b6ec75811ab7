import type { z } from "zod";
import {
  type CreateModelEndpointInput,
  ModelChoices,
  ModelEndpoint,
  ModelEndpointList,
  ModelProbe,
  type PatchModelEndpointInput,
} from "@/lib/settings/models/schema";
import { sendDelete, sendPatch, sendPost } from "./api";
import { answerQuery } from "./queries";

export const modelEndpointsQuery = answerQuery(
  ["models", "endpoints"],
  "/api/admin/model-endpoints",
  ModelEndpointList,
  { staleTime: 10_000 },
);

export const modelChoicesQuery = answerQuery(["models", "choices"], "/api/models", ModelChoices, { staleTime: 30_000 });

export const modelsKey = ["models"] as const;

export const addModelEndpoint = (input: z.input<typeof CreateModelEndpointInput>) =>
  sendPost("/api/admin/model-endpoints", ModelEndpoint, input);

export const changeModelEndpoint = (id: string, patch: z.input<typeof PatchModelEndpointInput>) =>
  sendPatch(`/api/admin/model-endpoints/${id}`, ModelEndpoint, patch);

export const removeModelEndpoint = (id: string) => sendDelete(`/api/admin/model-endpoints/${id}`);

export const probeModelEndpoint = (id: string) => sendPost(`/api/admin/model-endpoints/${id}/probe`, ModelProbe);
