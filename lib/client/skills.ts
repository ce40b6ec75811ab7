import { type InfiniteData, keepPreviousData } from "@tanstack/react-query";
import type { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import type { SkillAccess } from "@/lib/skills/access/schema";
import type { CreateSkillInput, ListSkillsQuery, PatchSkillInput, Skill, SkillPage } from "@/lib/skills/schema";
import type { ImportAnswer, ImportPreview } from "@/lib/skills/transfer/schema";
import type { SkillInstructions } from "@/lib/skills/versions/schema";
import {
  answerOf,
  api,
  apiResponse,
  listOf,
  randomKey,
  sendDelete,
  sendPatch,
  sendPost,
  sendPut,
  withQuery,
} from "./api";
import { answerQuery, pagesQuery } from "./queries";

export type SkillFilters = Omit<ListSkillsQuery, "limit" | "cursor" | "tag">;
export type SkillListData = InfiniteData<Page<Skill>>;
export type ImportOwner = "me" | "org";

export const skillsKey = ["skills"] as const;
export const skillListsKey = [...skillsKey, "list"] as const;
export const oneSkillKey = [...skillsKey, "one"] as const;

const pageSize = 50;

export const skillsQuery = (filters: SkillFilters) =>
  pagesQuery(
    [...skillListsKey, filters],
    "/api/skills",
    { ...filters, limit: pageSize },
    listOf<z.infer<typeof SkillPage>>(),
    {
      staleTime: 10_000,
      placeholderData: keepPreviousData,
    },
  );

export const skillQuery = (idOrName: string) =>
  answerQuery([...oneSkillKey, idOrName], skillPath(idOrName), answerOf<Skill>(), { staleTime: 10_000 });

export const instructionsQuery = (idOrName: string) =>
  answerQuery(
    [...skillsKey, "instructions", idOrName],
    `${skillPath(idOrName)}/instructions`,
    answerOf<SkillInstructions>(),
    {
      staleTime: 10_000,
    },
  );

export const createSkill = (input: CreateSkillInput) => sendPost("/api/skills", answerOf<Skill>(), input);

export const patchSkill = (idOrName: string, patch: PatchSkillInput) =>
  sendPatch(skillPath(idOrName), answerOf<Skill>(), patch);

export const deleteSkill = (idOrName: string) => sendDelete(skillPath(idOrName));

export const previewImport = (file: File, owner: ImportOwner, signal?: AbortSignal) =>
  api(withQuery("/api/skills/import", { owner, preview: true }), {
    method: "POST",
    body: formWith(file),
    shape: answerOf<ImportPreview>(),
    signal,
  });

/** Prepares an import that can be repeated after a lost answer. */
export async function prepareImport(file: File, owner: ImportOwner): Promise<() => Promise<ImportAnswer>> {
  // Encoded once, because each encoding of a form has another boundary and the idempotency key belongs to exact bytes.
  const encoded = new Response(formWith(file));
  const contentType = encoded.headers.get("content-type") ?? "multipart/form-data";
  const body = await encoded.blob();
  const key = randomKey();
  return () =>
    api(withQuery("/api/skills/import", { owner }), {
      method: "POST",
      body,
      headers: { "content-type": contentType, "idempotency-key": key },
      shape: answerOf<ImportAnswer>(),
    });
}

/** Address of an export: by default the stored bytes of the active version, else the newest. */
export function exportPath(idOrName: string, digest?: string, as?: "spec"): string {
  return withQuery(`${skillPath(idOrName)}/export`, { version: digest, as });
}

export async function fetchExport(idOrName: string): Promise<Blob> {
  return (await apiResponse(exportPath(idOrName))).blob();
}

/** Exports several skills as one zip with a list of digests. */
export async function fetchBulkExport(ids: readonly string[]): Promise<Blob> {
  return (await apiResponse(`/api/export?${new URLSearchParams({ skills: ids.join(",") })}`)).blob();
}

export function skillPath(idOrName: string): string {
  return `/api/skills/${encodeURIComponent(idOrName)}`;
}

function formWith(file: File): FormData {
  const form = new FormData();
  form.append("file", file, file.name);
  return form;
}

const eligibilityPath = "/api/admin/eligibility";

/** Who sees a skill; polled, because workers come and go. */
export const accessQuery = (idOrName: string) =>
  answerQuery([...skillsKey, "access", idOrName], `${skillPath(idOrName)}/access`, answerOf<SkillAccess>(), {
    staleTime: 5_000,
    refetchInterval: 15_000,
  });

export const adoptSkill = (id: string) => sendPost(`${skillPath(id)}/adoption`, answerOf<Skill>());

export const unadoptSkill = (id: string) => sendDelete(`${skillPath(id)}/adoption`);

/** Submits a personal skill for review by the organisation; returns the organisation's skill. */
export const publishSkill = (id: string) => sendPost(`${skillPath(id)}/publish`, answerOf<Skill>(), {});

export const eligibilityQuery = answerQuery(["eligibility"], eligibilityPath, answerOf<EligibilityPolicy>(), {
  staleTime: 5_000,
});

export const setEligibility = (policy: EligibilityPolicy) =>
  sendPut(eligibilityPath, answerOf<EligibilityPolicy>(), policy);
