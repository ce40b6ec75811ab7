import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import type { ModelEndpoint as ModelEndpointRow } from "@/lib/db/generated/client";
import { type ModelEndpoint, ModelEndpointKind } from "./schema";

export function presentEndpoint(row: ModelEndpointRow): ModelEndpoint {
  return {
    id: row.id,
    name: row.name,
    kind: ModelEndpointKind.parse(row.kind),
    baseUrl: row.baseUrl,
    models: parseJsonColumn(z.array(z.string()), row.models),
    credential: row.credentialName,
    enabled: row.enabled,
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: row.updatedBy,
  };
}
