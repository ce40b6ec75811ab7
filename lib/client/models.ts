import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type CreateModelEndpointInput,
  ModelChoices,
  ModelEndpoint,
  ModelEndpointList,
  ModelProbe,
  type PatchModelEndpointInput,
} from "@/lib/settings/models/schema";
import { api } from "./api";

export type { ModelChoices, ModelEndpoint, ModelProbe };

/** For admins: every endpoint. */
export const modelEndpointsQuery = queryOptions({
  queryKey: ["models", "endpoints"],
  queryFn: ({ signal }) => api("/api/admin/model-endpoints", { schema: ModelEndpointList, signal }),
  staleTime: 10_000,
});

/** What a person may talk to. */
export const modelChoicesQuery = queryOptions({
  queryKey: ["models", "choices"],
  queryFn: ({ signal }) => api("/api/models", { schema: ModelChoices, signal }),
  staleTime: 30_000,
});

export const modelsKey = ["models"] as const;

export function addModelEndpoint(input: z.input<typeof CreateModelEndpointInput>): Promise<ModelEndpoint> {
  return api("/api/admin/model-endpoints", { method: "POST", body: input, schema: ModelEndpoint });
}

export function changeModelEndpoint(
  id: string,
  patch: z.input<typeof PatchModelEndpointInput>,
): Promise<ModelEndpoint> {
  return api(`/api/admin/model-endpoints/${id}`, { method: "PATCH", body: patch, schema: ModelEndpoint });
}

export function removeModelEndpoint(id: string): Promise<void> {
  return api(`/api/admin/model-endpoints/${id}`, { method: "DELETE" });
}

export function probeModelEndpoint(id: string): Promise<ModelProbe> {
  return api(`/api/admin/model-endpoints/${id}/probe`, { method: "POST", schema: ModelProbe });
}
