import type { ModelMessage } from "ai";
import type { Ctx } from "@/lib/db/context";
import type { Model } from "@/lib/settings/models/require-model";
import type { TriedSkill } from "./assert-may-try";
import type { PlaygroundEvent, PlaygroundLimits } from "./schema";

/** A playbook that wants a context of its own. */
export type ForkedSkill = { id: string; name: string; digest: string; tools: string[] | null; playbook: string };

/** An agent that is answering: the one a person talks to, or a sub-agent of its own. */
export type Conversing = {
  /** Acts as the agent. */
  agent: Ctx;
  sessionId: string;
  surface: "playground" | "evaluation";
  model: Model;
  tried: TriedSkill[];
  limits: PlaygroundLimits;
  signal: AbortSignal;
  /** The sub-agent this is, or null. */
  fork: string | null;
  /** Carries a playbook out in a context of its own; null for a sub-agent, which starts no other. */
  startFork: ((talk: Conversing, skill: ForkedSkill) => Promise<{ result: string; isError: boolean }>) | null;
  /** What the person asked; a sub-agent is told of nothing else. */
  task: ModelMessage[];
  emit(event: PlaygroundEvent): void;
};
