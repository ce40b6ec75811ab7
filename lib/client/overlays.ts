import { infiniteQueryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type DecideOverlayInput,
  type OptimizeInput,
  type OverlayState,
  SkillOverlay,
} from "@/lib/agent/overlays/schema";
import { pageOf } from "@/lib/core/schema";
import { api, withQuery } from "./api";

export type { SkillOverlay };

export const overlaysKey = ["overlays"] as const;
const OverlayPage = pageOf(SkillOverlay);
const WORKING_MS = 2_000;

/** The overlays of one skill, newest first; looked at again while an optimiser works on one. */
export const skillOverlaysQuery = (skillId: string) =>
  infiniteQueryOptions({
    queryKey: [...overlaysKey, "skill", skillId],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery(`/api/skills/${skillId}/overlays`, { limit: 20, cursor: pageParam }), {
        schema: OverlayPage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.items.some(({ state }) => state === "working")) ? WORKING_MS : false,
  });

/** Overlays in one state, of all skills that the caller sees. */
export const overlaysQuery = (state: OverlayState) =>
  infiniteQueryOptions({
    queryKey: [...overlaysKey, state],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery("/api/overlays", { state, limit: 50, cursor: pageParam }), { schema: OverlayPage, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 10_000,
  });

export function optimizeSkill(skillId: string, input: z.input<typeof OptimizeInput>): Promise<SkillOverlay> {
  return api(`/api/skills/${skillId}/optimize`, { method: "POST", body: input, schema: SkillOverlay });
}

export function submitOverlay(skillId: string, toml: string): Promise<SkillOverlay> {
  return api(`/api/skills/${skillId}/overlays`, { method: "POST", body: { toml }, schema: SkillOverlay });
}

export function decideOverlay(id: string, decision: z.input<typeof DecideOverlayInput>): Promise<SkillOverlay> {
  return api(`/api/overlays/${id}/decisions`, { method: "POST", body: decision, schema: SkillOverlay });
}
