import type { SkillManifest } from "@/lib/skill-format/schema";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import type { CapabilityGroup } from "@/lib/skills/schema";
import { addAskFacts } from "./ask-facts";
import { createCard } from "./create-card";
import { addCredentialFacts } from "./credential-facts";
import { addDeclaredFacts } from "./declared-facts";
import { addEnvironmentFacts } from "./environment-facts";
import { addFileFacts } from "./file-facts";
import { addHostFacts } from "./host-facts";
import { addLoadFacts } from "./load-facts";
import { readTexts } from "./read-texts";
import { addToolFacts } from "./tool-facts";

/**
 * What a skill may do, as facts that anybody can check at their line: nothing here is a judgement. Reads the first 256 KiB
 * of each text file and 2 MiB together, so that it never holds up the server; the scan looks at all of them.
 */
export function readCapabilities(files: SkillFile[], manifest: SkillManifest): CapabilityGroup[] {
  const texts = readTexts(files);
  const card = createCard();
  const skill = { files, texts, manifest };
  addToolFacts(card, skill);
  addLoadFacts(card, skill);
  addAskFacts(card, skill);
  addDeclaredFacts(card, skill);
  addEnvironmentFacts(card, skill);
  addHostFacts(card, skill);
  addFileFacts(card, skill);
  addCredentialFacts(card, skill);
  return card.groups();
}
