import { isKnownInstaller, isOwnOrPlaceholder, SINK } from "../rules/evidence";
import type { Severity } from "../scan/schema";
import { domainOf, HOLE, type Label } from "./values";

/**
 * Where in a transfer a value stands. `lookup` is a DNS name; `stream` a socket, a remote shell or a copy; `login` what a
 * client signs with, which may not leave itself.
 */
export type Position = "header" | "login" | "body" | "address" | "lookup" | "message" | "stream";

/** `texts` are the addresses that it may go to, one or several. */
export type Transfer = { position: Position; texts: readonly string[] };

const CHATS =
  /discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com|api\.telegram\.org|webhook\.office\.com|hooks\.zapier\.com|\bingest(?:\.[a-z]{2})?\.sentry\.io|feishu\.cn|dingtalk\.com|qyapi\.weixin/i;
/** Places at known services that keep or pass on what they get: a body there is a message, and no key. */
const INBOXES =
  /discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com|api\.telegram\.org(?!\S*setWebhook)|api\.github\.com\/(?:gists|repos\/\S+\/(?:issues|comments))|sheets\.googleapis\.com|docs\.google\.com\/forms|script\.google\.com\/macros/i;
const LOCAL =
  /^(?:[a-z]+:\/\/)?(?:localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|0\.0\.0\.0(?![\w.-])|\[?::1\]?|10(?:\.\d+){3}(?![\w.-])|192\.168(?:\.\d+){2}(?![\w.-])|host\.docker\.internal|unix:)/i;

/** Services that speak the protocol of another one or work with its keys; no stranger has a name below these domains. */
const VENDORS =
  `openai.com openai.azure.com cognitiveservices.azure.com services.ai.azure.com anthropic.com openrouter.ai groq.com deepseek.com
  mistral.ai together.xyz together.ai fireworks.ai perplexity.ai x.ai nvidia.com googleapis.com cohere.com cohere.ai
  moonshot.ai moonshot.cn z.ai bigmodel.cn minimax.io minimax.chat minimaxi.com aliyuncs.com siliconflow.cn siliconflow.com
  cerebras.ai sambanova.ai deepinfra.com novita.ai hyperbolic.xyz huggingface.co replicate.com helicone.ai portkey.ai
  ai-gateway.vercel.sh gateway.ai.cloudflare.com githubcopilot.com github.ai volces.com baidubce.com stepfun.com nebius.com
  aimlapi.com jina.ai voyageai.com langchain.com langfuse.com braintrust.dev github.com gitlab.com bitbucket.org npmjs.org
  pypi.org docker.io docker.com stripe.com slack.com vercel.com netlify.com circleci.com codecov.io coveralls.io
  sonarcloud.io snyk.io`.split(/\s+/);

/** How a company calls its own server of a service, or what stands before it. */
const OWN_SERVERS: Record<string, RegExp> = {
  "github.com": /^(?:github|ghe|git|code|scm)$/,
  "gitlab.com": /^(?:gitlab|git|code|scm)$/,
  "npmjs.org": /^(?:npm|registry|nexus|artifactory|packages|verdaccio)$/,
  "openai.com": /^(?:ai|llms?|litellm|(?:ai|llm|openai)-?(?:gateway|proxy))$/,
  "anthropic.com": /^(?:ai|llms?|litellm|(?:ai|llm|claude)-?(?:gateway|proxy))$/,
};

export function isLocal(address: string): boolean {
  return LOCAL.test(address) || isOwnOrPlaceholder(address);
}

const WEIGHTS: Record<Severity, number> = { info: 1, medium: 2, high: 3, critical: 4 };

/**
 * How much a secret on its way to hosts weighs: by the host for which it weighs most; null when a service receives its own
 * key, or nothing leaves.
 */
export function judgeTransfer(label: Label, { position, texts }: Transfer): Severity | null {
  if (/^(?:download|disks|document|picture|coded)$/.test(label.kind)) return null;
  let worst: Severity | null = null;
  for (const address of addressesIn(texts, position)) {
    const weight = judgeAddress(label, position, address);
    if (weight !== null && (worst === null || WEIGHTS[weight] > WEIGHTS[worst])) worst = weight;
  }
  return worst;
}

/** The texts that are addresses; when none has a host, the one that says most. */
function addressesIn(texts: readonly string[], position: Position): readonly string[] {
  const whole = texts.filter((text) => text.includes("//"));
  const isOpen = whole.length > 0 || /^(?:stream|message|lookup)$/.test(position);
  const hosts = isOpen ? (whole.length > 0 ? whole : texts).filter((text) => hostOf(text) !== "") : [];
  return hosts.length > 0 ? hosts : [whole[0] ?? texts[0] ?? ""];
}

function judgeAddress(label: Label, position: Position, address: string): Severity | null {
  const host = hostOf(address);
  if (LOCAL.test(address) || /@localhost\b/.test(address)) return null;
  const isInbox = /^(?:body|message)$/.test(position) && INBOXES.test(address);
  const toOwner = !isInbox && isBelow(host, label.owners);
  const isSink = SINK.test(address) || CHATS.test(address);
  if (label.kind === "environment") return "critical";
  if (label.kind === "variable") return judgeVariable(label, { position, host, address, isSink, toOwner });
  if (toOwner) return null;
  // A token that is read to sign a request is ordinary; the contents of a key file are not.
  if (position === "header" || position === "login") {
    if (label.encoded && label.kind !== "store" && label.kind !== "file") return null;
    if (label.encoded) return host === "" ? "high" : "critical";
    return position === "header" ? judgeHeader(label, host, address) : null;
  }
  if (host === "" && position !== "lookup" && position !== "message" && !isSink)
    return position === "stream" ? "medium" : "high";
  return "critical";
}

type Context = { position: Position; host: string; address: string; isSink: boolean; toOwner: boolean };

function judgeVariable(label: Label, { position, host, address, isSink, toOwner }: Context): Severity | null {
  if (toOwner) return null;
  if (isAlmostOwner(label.name, host)) return "critical";
  if (position === "login") return null;
  if (position === "header") return judgeHeader(label, host, address);
  if (position === "lookup" || isSink) return "critical";
  if (host === "") return null;
  const named = label.name.toLowerCase().split("_")[0] ?? "";
  if (!label.isOwnersOnly && named.length > 2 && host.split(/[.-]/).includes(named)) return null;
  // Another service than the one that the key belongs to.
  if (label.owners.length > 0 && !isOwnOrPlaceholder(address))
    return isOwnServer(label, host) && hasOwnWord(label, host) ? "medium" : "critical";
  return label.encoded ? "high" : null;
}

/** A header proves who asks. Only a key that no other host accepts is stolen by it. */
function judgeHeader(label: Label, host: string, address: string): Severity | null {
  if (!label.isOwnersOnly || label.owners.length === 0 || host === "" || isPlaceholder(address, host)) return null;
  if (isBelow(host, VENDORS)) return null;
  return isOwnServer(label, host) ? "medium" : "critical";
}

function isBelow(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Names that the registry keeps for examples, and what stands for a name. */
function isPlaceholder(address: string, host: string): boolean {
  return isOwnOrPlaceholder(address) || /^example\.(?:com|org|net)$/.test(domainOf(host));
}

/** `github.corp.example`, for a key of GitHub: a thief could call a host so, too. */
function isOwnServer({ owners }: Label, host: string): boolean {
  const names = host.slice(0, -domainOf(host).length).split(".");
  // A thief's host that begins like the service's.
  if (owners.some((owner) => host.includes(`${owner}.`))) return false;
  return owners.some((owner) => names.some((name) => OWN_SERVERS[owner]?.test(name)));
}

function hasOwnWord({ owners }: Label, host: string): boolean {
  return owners.some((owner) => host.split(".").includes(owner.split(".")[0]?.replace(/js$/, "") ?? ""));
}

/** A host that is named like the key's service but for one letter: `FIGMA_TOKEN` for `api.flgma.example`. */
function isAlmostOwner(variable: string, host: string): boolean {
  const [service = ""] = variable.toLowerCase().split("_");
  const labels = host.split(/[.-]/);
  if (
    service.length < 5 ||
    host.includes(service) ||
    /^(?:token|secret|access|private|client|admin|master|deploy)$/.test(service)
  )
    return false;
  return labels.some((label) => {
    if (Math.abs(label.length - service.length) > 1 || label.length < 5) return false;
    let from = 0;
    while (from < label.length && label[from] === service[from]) from += 1;
    let end = 0;
    while (end < Math.min(label.length, service.length) - from && label.at(-1 - end) === service.at(-1 - end)) end += 1;
    const [own, other] = [label.length - from - end, service.length - from - end];
    return own <= 1 && other <= 1;
  });
}

/** How much the execution of downloaded text weighs; null for known installers and the machine itself. */
export function judgeExecution(label: Label): Severity | null {
  if (label.kind !== "download") return null;
  return isKnownInstaller(label.name) || isOwnOrPlaceholder(label.name) ? null : "critical";
}

/** The constant host of an address, in lower case; empty when it is not constant. */
export function hostOf(address: string): string {
  const rest = address.replace(/^["']/, "").replace(/^[a-z+]{2,10}:\/\//i, "");
  const host = /^(?:[^/@\s]{0,80}@)?([^/:?#\s"']+)/.exec(rest)?.[1]?.toLowerCase() ?? "";
  const name = host.includes(HOLE) ? (host.split(HOLE).at(-1) ?? "").replace(/^\./, "") : host;
  return /\w\.\w|^\d+$/.test(name) && !name.includes("$") ? name.replace(/\.$/, "") : "";
}
