import { agentskills, agentskillsMetadata, toolsSynonym } from "./agentskills";
import { claudeCode } from "./claude-code";
import type { Dialect } from "./dialect";
import { gsv } from "./gsv";
import { hermes } from "./hermes";
import { ongrid, ongridNamespace } from "./ongrid";
import { openclaw, openclawTopLevel } from "./openclaw";
import { openjarvis, openjarvisNamespace } from "./openjarvis";
import { personalAgent } from "./personal-agent";
import { skillgate } from "./skillgate";

/**
 * The dialects of a SKILL.md. For each field of the manifest the first table that yields a value wins: namespaces that
 * override the top level by their own documents, then the top level, then namespaces, then plain entries of `metadata`.
 * Requirements are the exception: they are added up. A new dialect is a new table in this list.
 */
export const SKILL_MD_DIALECTS: readonly Dialect[] = [
  openjarvisNamespace,
  ongridNamespace,
  agentskills,
  claudeCode,
  personalAgent,
  skillgate,
  openjarvis,
  gsv,
  ongrid,
  openclawTopLevel,
  openclaw,
  hermes,
  agentskillsMetadata,
  toolsSynonym,
];
