import type { Grants } from "@/lib/policy/grants/schema";

/** What a run with these grants may touch, in plain sentences. */
export function describeTouches(grants: Grants): string[] {
  const sentences = [networkSentence(grants.network)];
  if (grants.env && grants.env.length > 0)
    sentences.push(`Reads these variables of the worker: ${grants.env.join(", ")}.`);
  for (const { credential, as, name } of grants.credentials ?? [])
    sentences.push(`Gets the credential ${credential} as the ${as === "env" ? "variable" : "file"} ${name}.`);
  for (const { path, mode } of grants.paths ?? [])
    sentences.push(`${mode === "rw" ? "Reads and writes" : "Reads"} ${path}.`);
  if (grants.workspace) sentences.push("Reads and writes the files of its session’s workspace.");
  if (grants.scripts) sentences.push("Executes the scripts it brings.");
  if (grants.namespaces && grants.namespaces.length > 0) {
    sentences.push(`Shares these namespaces of the host: ${grants.namespaces.join(", ")}.`);
  }
  if (grants.capabilities && grants.capabilities.length > 0) {
    sentences.push(`Holds these Linux capabilities: ${grants.capabilities.join(", ")}.`);
  }
  if (grants.timeoutSeconds !== undefined) sentences.push(`Takes at most ${grants.timeoutSeconds} seconds.`);
  return sentences;
}

function networkSentence(network: Grants["network"]): string {
  if (network === true) return "Reaches any address that the worker’s operator allows.";
  if (Array.isArray(network) && network.length > 0) return `Reaches these hosts at most: ${network.join(", ")}.`;
  return "Has no permission to reach the network.";
}
