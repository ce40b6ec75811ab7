import type { Rule } from "../scan/rule";
import { isShownAsBad } from "./evidence/is-shown-as-bad";
import { weighSecretPlace } from "./evidence/secret-places";

export const cloudCredentials: Rule = {
  id: "CRD-002",
  version: 1,
  severity: "high",
  title: "Cloud credentials",
  why: "These files and addresses hold the keys to cloud accounts and clusters.",
  owasp: ["ASI03", "LLM02"],
  patterns: [
    {
      hints: [".aws", ".kube", ".docker", "gcloud", ".azure", "application_default", "kubernetes.io/serviceaccount"],
      re: String.raw`[~$\w{}%./\\-]*(?:\.aws[/\\](?:credentials|config)\b|\.kube[/\\]config\b|\.docker[/\\]config\.json|\.config[/\\]gcloud[/\\]?(?:application_default_credentials\.json|credentials\.db|access_tokens\.db|legacy_credentials)?|\.azure[/\\](?:accessTokens\.json|msal_token_cache|azureProfile\.json)|serviceaccount/token\b)`,
      weigh: weighSecretPlace,
    },
    {
      hints: [".aws", ".kube"],
      re: String.raw`["'\x60]\.(?:aws|kube|azure)["'\x60]\s*(?:,|/)\s*["'\x60](?:credentials|config)["'\x60]`,
      weigh: weighSecretPlace,
    },
    {
      hints: ["169.254.169.254", "metadata.google.internal", "169.254.170.2"],
      re: String.raw`(?:169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2)[^\s"'\x60)]*`,
      weigh: (match) => {
        if (isShownAsBad(match)) return "info";
        return /security-credentials|\/token|\/identity|\/v2\/credentials|service-accounts|user-data/i.test(
          `${match.text}${match.after.slice(0, 80)}`,
        )
          ? true
          : "medium";
      },
    },
  ],
};
