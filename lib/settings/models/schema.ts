import { z } from "zod";
import { IsoTime, lineOfText, withoutControls } from "@/lib/core/schema";
import { CredentialName } from "@/lib/policy/grants/schema";

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const MAX_MODELS = 50;

export const ModelEndpointKind = z.enum(["openai", "anthropic"]);
export type ModelEndpointKind = z.infer<typeof ModelEndpointKind>;

/** https, or http on loopback: prompts and the key must not cross a network unencrypted. */
const BaseUrl = withoutControls
  .trim()
  .max(500)
  .refine((text) => problemOf(text) === null, { error: ({ input }) => problemOf(String(input)) ?? "is not an address" })
  .transform((text) => text.replace(/\/+$/, ""));

function problemOf(text: string): string | null {
  if (!URL.canParse(text)) return "must be an absolute address, such as https://api.example.com/v1";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password; use a credential";
  if (url.search !== "" || url.hash !== "") return "must end with its path";
  if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.has(url.hostname))) return null;
  return "must be https, or http on this machine (127.0.0.1, ::1, localhost)";
}

const Fields = z.strictObject({
  name: lineOfText(80),
  kind: ModelEndpointKind.describe("openai: any server with /chat/completions; anthropic: one with /messages."),
  baseUrl: BaseUrl.describe("The address before /chat/completions or /messages, usually ending with /v1."),
  models: z.array(lineOfText(200)).min(1).max(MAX_MODELS).describe("The first is the default."),
  credential: CredentialName.nullable().default(null).describe("The credential to send as the key."),
  enabled: z.boolean().default(true),
});

export const CreateModelEndpointInput = Fields;
export type CreateModelEndpointInput = z.infer<typeof CreateModelEndpointInput>;

export const PatchModelEndpointInput = z
  .strictObject({
    name: Fields.shape.name,
    baseUrl: Fields.shape.baseUrl,
    models: Fields.shape.models,
    credential: CredentialName.nullable(),
    enabled: z.boolean(),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "change at least one field");
export type PatchModelEndpointInput = z.infer<typeof PatchModelEndpointInput>;

export const ModelEndpoint = z.object({
  id: z.string(),
  name: z.string(),
  kind: ModelEndpointKind,
  baseUrl: z.string(),
  models: z.array(z.string()),
  credential: z.string().nullable(),
  enabled: z.boolean(),
  updatedAt: IsoTime,
  updatedBy: z.string(),
});
export type ModelEndpoint = z.infer<typeof ModelEndpoint>;
export const ModelEndpointList = z.object({ items: z.array(ModelEndpoint) });
export type ModelEndpointList = z.infer<typeof ModelEndpointList>;

/** What people choose from, without address and key. */
export const ModelChoices = z.object({
  items: z.array(ModelEndpoint.pick({ id: true, name: true, kind: true, models: true })),
});
export type ModelChoices = z.infer<typeof ModelChoices>;

export const ModelProbe = z.object({
  ok: z.boolean(),
  message: z.string().describe("The model's answer, or what went wrong, in one sentence."),
  milliseconds: z.number(),
});
export type ModelProbe = z.infer<typeof ModelProbe>;
