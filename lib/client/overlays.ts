import type { z } from "zod";
import type { DecideOverlayInput, OptimizeInput, OverlayState, SkillOverlay } from "@/lib/agent/overlays/schema";
import type { Page } from "@/lib/core/schema";
import { answerOf, listOf, sendPost } from "./api";
import { pagesQuery } from "./queries";

export const overlaysKey = ["overlays"] as const;
type OverlayPage = Page<SkillOverlay>;
const POLL_MS = 2_000;

export const skillOverlaysQuery = (skillId: string) =>
  pagesQuery(
    [...overlaysKey, "skill", skillId],
    `/api/skills/${skillId}/overlays`,
    { limit: 20 },
    listOf<OverlayPage>(),
    {
      refetchInterval: (query) =>
        query.state.data?.pages.some((page) => page.items.some(({ state }) => state === "working")) ? POLL_MS : false,
    },
  );

export const overlaysQuery = (state: OverlayState) =>
  pagesQuery([...overlaysKey, state], "/api/overlays", { state, limit: 50 }, listOf<OverlayPage>(), {
    staleTime: 10_000,
  });

export const optimizeSkill = (skillId: string, input: z.input<typeof OptimizeInput>) =>
  sendPost(`/api/skills/${skillId}/optimize`, answerOf<SkillOverlay>(), input);

export const submitOverlay = (skillId: string, toml: string) =>
  sendPost(`/api/skills/${skillId}/overlays`, answerOf<SkillOverlay>(), { toml });

export const decideOverlay = (id: string, decision: z.input<typeof DecideOverlayInput>) =>
  sendPost(`/api/overlays/${id}/decisions`, answerOf<SkillOverlay>(), decision);
