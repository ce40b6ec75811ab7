import { withQuery } from "@/lib/client/api";
import { skillHref } from "../skill-labels";

/** The page of one file of a version, at a line when one is named. */
export function fileHref(skillId: string, path: string, digest?: string, line?: number): string {
  const page = withQuery(skillHref({ id: skillId }), { tab: "files", path, v: digest });
  return line === undefined ? page : `${page}#L${line}`;
}
