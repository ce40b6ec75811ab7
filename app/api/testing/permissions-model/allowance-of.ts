import type { Allowance } from "@/lib/review/verify/judge-run";
import type { Command } from "./draw-commands";

type Allows = Extract<Command, { kind: "register" }>["allows"];

type Said = Allowance & { ranges: string[] };

/** The allowance that a worker sends at registration; undefined for an older worker, which sends none. */
export function allowanceOf(allows: Exclude<Allows, "silent">): Said;
export function allowanceOf(allows: Allows): Said | undefined;
export function allowanceOf(allows: Allows): Said | undefined {
  if (allows === "silent") return undefined;
  if (allows === "everything") return EVERYTHING;
  const env = ["PATH", "LANG", "LC_*", "TZ"];
  if (allows === "nothing") return { paths: [], env, capabilities: [], namespaces: [], ranges: [], proxy: false };
  return { ...allows, env: [...env, ...allows.env] };
}

/** Everything that the drawn grants can request. */
const EVERYTHING: Said = {
  paths: ["/srv/data", "/etc"],
  env: ["PATH", "LANG", "LC_*", "TZ", "REGION", "BUILD_NUMBER"],
  capabilities: ["CAP_NET_RAW"],
  namespaces: ["net", "pid"],
  ranges: ["10.0.0.0/8"],
  proxy: true,
};
