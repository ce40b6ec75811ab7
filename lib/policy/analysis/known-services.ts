/** Hosts to which ordinary tools send what is planted in their settings. */
const OF_TOOLS = new Map<string, readonly string[]>(
  Object.entries({
    "~/.npmrc": ["registry.npmjs.org"],
    "~/.netrc": ["artifacts.corp.example"],
    "~/.git-credentials": ["github.com"],
    "~/.pypirc": ["upload.pypi.org"],
    "~/.docker/config.json": ["registry.corp.example"],
    "~/.config/gh/hosts.yml": ["api.github.com", "github.com"],
  }),
);
/** Of Google, the APIs that take keys or tokens of their users; others store what customers and their visitors send. */
const GOOGLE = [
  "generativelanguage maps places routes roads youtube youtubeanalytics www customsearch translation translate vision",
  "language speech texttospeech safebrowsing kgsearch pagespeedonline civicinfo factchecktools sheets drive docs slides",
  "gmail people tasks oauth2 cloudresourcemanager compute bigquery aiplatform analyticsdata analyticsadmin",
].flatMap((line) => line.split(" ").map((name) => `${name}.googleapis.com`));
/** Below a service's domain, what takes messages of anybody for one of its customers and no key. */
const INBOX = /(?:^|\.)(?:(?:web)?hooks?|ingest|inbound|forms)\.(?:.+\.)?[^.]+\.[^.]+$/;
/** A service's own domains. `*.` before one: its names below it belong to customers, of whom a thief may be one. */
const SERVICES: readonly (readonly [prefixes: string[], domains: string[]])[] = [
  "GITHUB GH: github.com raw.githubusercontent.com ghcr.io models.github.ai npm.pkg.github.com; GITLAB GL: gitlab.com; BITBUCKET: bitbucket.org; OPENAI: openai.com",
  "ANTHROPIC CLAUDE: anthropic.com; GEMINI: generativelanguage.googleapis.com aiplatform.googleapis.com",
  "YOUTUBE: youtube.googleapis.com youtubeanalytics.googleapis.com www.googleapis.com",
  `GOOGLE GCP GCLOUD: ${GOOGLE.join(" ")}`,
  "HF HUGGINGFACE HUGGING_FACE HUGGINGFACEHUB: huggingface.co; MISTRAL: mistral.ai",
  "COHERE: cohere.com cohere.ai; GROQ: groq.com; XAI: x.ai; DEEPSEEK: deepseek.com; OPENROUTER: openrouter.ai",
  "PERPLEXITY PPLX: perplexity.ai; REPLICATE: replicate.com; ELEVENLABS ELEVEN: elevenlabs.io",
  "TAVILY: tavily.com; BRAVE: search.brave.com; SERPAPI: serpapi.com; NPM: registry.npmjs.org",
  "PYPI TWINE: pypi.org; DOCKER DOCKERHUB: docker.com docker.io; CF CLOUDFLARE: api.cloudflare.com",
  "DO DIGITALOCEAN: api.digitalocean.com; HETZNER HCLOUD: hetzner.cloud; VERCEL: vercel.com",
  "NETLIFY: netlify.com; HEROKU: api.heroku.com; FLY: api.fly.io api.machines.dev",
  "SUPABASE: *.supabase.co api.supabase.com; STRIPE: stripe.com; PAYPAL: paypal.com; TWILIO: twilio.com",
  "SENDGRID: sendgrid.com; MAILGUN: mailgun.net; SLACK: slack.com; DISCORD: discord.com",
  "TELEGRAM: api.telegram.org; TWITTER X: x.com twitter.com; NOTION: notion.com; LINEAR: linear.app",
  "ASANA: asana.com; TRELLO: trello.com; AIRTABLE: airtable.com; FIGMA: figma.com",
  "HUBSPOT: hubapi.com hubspot.com; JIRA CONFLUENCE ATLASSIAN: *.atlassian.net api.atlassian.com",
  "ZENDESK: *.zendesk.com; SHOPIFY: *.myshopify.com; SALESFORCE SF: *.salesforce.com",
  "AZURE: *.openai.azure.com management.azure.com; DATADOG DD: datadoghq.com datadoghq.eu; SENTRY: sentry.io",
  "VOYAGE: voyageai.com; NEWS NEWSAPI: newsapi.org; DASHSCOPE: dashscope.aliyuncs.com",
  "OPENWEATHER OPENWEATHERMAP OWM: openweathermap.org; AWS AMAZON: aws.amazon.com",
]
  .flatMap((line) => line.split("; "))
  .map((row) => row.split(": ").map((words) => words.split(" ")) as [string[], string[]]);
/** More exact than prefixes: what never leaves as it is, or only in requests to AWS that it signs (Signature Version 4). */
const AWS =
  /^(?:s3|sts|ec2|iam|sqs|sns|dynamodb|lambda|logs|monitoring|secretsmanager|ssm|kms|ecr|api\.ecr|ecs|eks|ses|email|events|states|cloudformation|bedrock|bedrock-runtime)(?:\.[a-z]{2}(?:-[a-z]+)+-\d)?\.amazonaws\.com$/;
const SECRETS = new Map<string, RegExp | null>([
  ["AWS_SECRET_ACCESS_KEY", null],
  ["DATABASE_PASSWORD", null],
  ["AWS_ACCESS_KEY_ID", AWS],
  ["AWS_SESSION_TOKEN", AWS],
]);
/** Secrets that sign what another one stands for. */
const SIGNS_FOR = new Map([["AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"]]);
/** Domains of shared hosting: a name or a folder there belongs to the customer who asks for it, such as a thief. */
const SHARED = [
  "vercel.app github.io gitlab.io herokuapp.com workers.dev pages.dev netlify.app web.app firebaseapp.com",
  "run.app appspot.com storage.googleapis.com firebasestorage.googleapis.com onrender.com azurewebsites.net",
  "windows.net azure-api.net cloudapp.net cloudfront.net amazonaws.com amazonaws.com.cn on.aws awsapprunner.com",
  "elasticbeanstalk.com ngrok.io ngrok.app ngrok.dev ngrok-free.app trycloudflare.com r2.dev fly.dev deno.dev",
  "railway.app render.com surge.sh glitch.me repl.co replit.dev replit.app digitaloceanspaces.com",
  "ondigitalocean.app hf.space pythonanywhere.com loca.lt localhost.run serveo.net duckdns.org no-ip.org nip.io",
  "sslip.io pipedream.net webhook.site requestbin.com wordpress.com blogspot.com wixsite.com myshopify.com",
  "atlassian.net",
].flatMap((line) => line.split(" "));
/** Words of a variable that say what it is and not whose. */
const GENERIC = new Set(
  [
    "api apis app auth access key keys token tokens secret secrets bot session password passwd pass pwd user",
    "username email id account client bearer refresh service server web webhook hook url uri host port endpoint",
    "base public private prod dev test staging my the data db database config cloud org team admin login signing",
    "master root http https www",
  ].flatMap((line) => line.split(" ")),
);

/** Whether these settings of a tool are for this host. */
export function isOfTool(canary: string, host: string): boolean {
  return OF_TOOLS.get(canary)?.includes(host) === true;
}

/**
 * Whether a host belongs to the service of a variable, by what is known of both. `own`: it is the service's. `named`: its domain has
 * the variable's word, or it is a customer's of the service; either may be a thief's.
 */
export function serviceOf(variable: string, host: string): "own" | "named" | null {
  const names = withoutGenericStart(variable.toUpperCase());
  for (const name of names) {
    const exact = SECRETS.get(name);
    if (exact !== undefined) return exact?.test(host) ? "own" : null;
  }
  const isOf = (prefix: string) => names.some((name) => `${name}_`.startsWith(`${prefix}_`));
  const rows = SERVICES.filter(([prefixes]) => prefixes.some(isOf));
  // The table decides for every variable that it knows.
  if (rows.length === 0) return isNamedFor(variable, host) ? "named" : null;
  const known = rows.flatMap(([, domains]) => domains);
  if (INBOX.test(host)) return null;
  // A bucket is below the domain of its service and belongs to a customer.
  const isShared = SHARED.some((shared) => isBelow(host, shared) && !known.includes(host));
  if (!isShared && known.some((domain) => isBelow(host, domain))) return "own";
  return known.some((domain) => domain.startsWith("*.") && host.endsWith(domain.slice(1))) ? "named" : null;
}

/**
 * Like `serviceOf`, for a secret of which only the effect is known: a signature, or a message that hides another secret. It is never more
 * than `named`, and only at a service of the table, since a thief can name a variable like a domain.
 */
export function serviceOfUnknown(variable: string, host: string): "named" | null {
  return serviceOf(SIGNS_FOR.get(variable.toUpperCase()) ?? variable, host) === "own" ? "named" : null;
}

/** A variable's name, and what is left of it without one or more generic words at its beginning: `PROD_STRIPE_KEY`, `STRIPE_KEY`. */
function withoutGenericStart(variable: string): string[] {
  const words = variable.split("_");
  const first = words.findIndex((word) => !GENERIC.has(word.toLowerCase()));
  return Array.from({ length: Math.max(first, 0) + 1 }, (_, start) => words.slice(start).join("_"));
}

const isBelow = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

/** Whether the first words of a variable's name, without generic ones, are the label that its owner registered. */
function isNamedFor(variable: string, host: string): boolean {
  if (SHARED.some((shared) => isBelow(host, shared))) return false;
  const [first = "", ...rest] = registeredDomain(host).split(".");
  const label = rest.length > 0 ? first.replaceAll("-", "") : "";
  const words = variable.toLowerCase().split("_");
  const own = words.filter((word) => !GENERIC.has(word));
  return label.length > 2 && own.some((_word, end) => own.slice(0, end + 1).join("") === label);
}

/** The domain that was registered with a registry, as far as the usual countries with names at the third level are known. */
export function registeredDomain(host: string): string {
  const labels = host.split(".");
  const isCountry = /^(?:ac|co|com|edu|gob|gov|gv|ne|net|nom|or|org)\.[a-z]{2}$/.test(labels.slice(-2).join("."));
  return labels.slice(isCountry ? -3 : -2).join(".");
}

/** How many labels at the end of a host may tell its owner from another one: rather one too many. */
function ownerLabels(host: string): number {
  const shared = SHARED.filter((domain) => isBelow(host, domain)).map((domain) => domain.split(".").length + 1);
  const isLong = /(?:^|\.)(?:[a-z0-9]{1,4}\.[a-z]{2}|[a-z]{2}\.[a-z]{3})$/.test(host);
  return Math.max(isLong ? 3 : 2, ...shared);
}

/**
 * A text without the random data in its names and paths, which is other data in the next dry run: `*` is for a part of 25 characters
 * or more that has letters and digits side by side. What tells the owner of a host stays.
 */
export function withoutData(text: string): string {
  const names = text.replace(/[A-Za-z0-9_=+-]+(?:\.[A-Za-z0-9_=+-]+)+/g, (name) => {
    const labels = name.split(".");
    const kept = ownerLabels(name.toLowerCase());
    return labels.map((label, at) => (at < labels.length - kept ? steady(label) : label)).join(".");
  });
  return names.replace(/(?<=\/)[A-Za-z0-9_=+-]+/g, steady);
}

function steady(part: string): string {
  const hasData = part.split(/[_=+-]/).some((piece) => /^\d{12,}$|^(?=.*\d)(?=.*[a-z]).{8,}$/i.test(piece));
  return part.length >= 25 && hasData ? "*" : part;
}

/** Not the network: the sandbox has a loopback of its own. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|\[::1\]|0\.0\.0\.0|::|.+\.localhost)$/.test(host);
}
