import type { SyntaxNode } from "@lezer/common";
import type { Position } from "./judge-flow";
import { type Range, reportExecution, reportTransfer } from "./program";
import { followShell } from "./shell-flow";
import { contentsOf } from "./shell-transfers";
import { leakByCall } from "./tree-documents";
import type { Call, TreeProgram } from "./tree-program";
import { HOLE, joinLabels, type Label, NOTHING, type Value } from "./values";

/** What is called, or what it was made by, when it speaks with the network. */
export const NETWORK =
  /^(?:requests|httpx|aiohttp|urllib(?!\.parse\b)|urllib2|urllib3|http\.client|httplib2?|pycurl|websockets?|socket(?!io$)|ssl|smtplib|aiosmtplib|ftplib|paramiko|pysftp|boto3|telegram|telebot|slack_sdk|slack|discord|treq|yagmail|imaplib|fetch|axios|got|superagent|needle|undici|ky|node-fetch|cross-fetch|request|request-promise|https?|http2|net|tls|dgram|ws|WebSocket|nodemailer|ssh2|basic-ftp|socket\.io-client|telegraf|got|@octokit\/[\w-]+|octokit|github\.Github|ghapi|dropbox|telethon|pyrogram|sendgrid|resend|mailgun\.js|paho\.mqtt|mqtt|pika|google\.cloud\.storage|redis|ioredis|pymongo|azure\.storage|@slack\/[\w-]+|discord\.js|@aws-sdk\/[\w-]+|navigator\.sendBeacon|XMLHttpRequest|EventSource|globalThis\.fetch|window\.fetch|Bun\.connect|Deno\.connect|ntfy|nio|ipfshttpclient|ipfs-http-client|kubo-rpc-client|matrix-js-sdk|matrix-bot-sdk|mastodon|Mastodon|tweepy|twitter-api-v2|atproto|@atproto\/[\w-]+|praw|aiomqtt|kafka|kafkajs|confluent_kafka|amqplib|nats|web3\.storage|nft\.storage|@pinata\/[\w-]+|firebase_admin|firebase-admin|supabase|@supabase\/[\w-]+|gspread|pusher|ably|zulip|rocketchat_API|vk_api|slixmpp|nostr-tools|pynostr|cloudinary|imgur|dpaste|@octokit)\b/;
const LOOKUP =
  /^(?:socket\.(?:gethostbyname(?:_ex)?|getaddrinfo|gethostbyaddr)|dns(?:\.promises|\/promises)?\.(?:resolve\w*|lookup|query)|dns\.resolver\.\w+|dns\.asyncresolver\.\w+|.*[Rr]esolver\(\)\.(?:resolve|query)\w*)$/;
const MAILS =
  /^(?:smtplib|aiosmtplib|nodemailer|yagmail|telegram|telebot|slack|discord|telegraf|@slack|ntfy|nio|ipfs|kubo|matrix|[mM]astodon|tweepy|twitter|atproto|@atproto|praw|web3\.storage|nft\.storage|@pinata|zulip|rocketchat|vk_api|slixmpp|nostr|pynostr|pusher|ably)/;
const COMMAND =
  /^(?:os\.(?:system|popen|exec[lv]\w*|spawn\w*)|subprocess\.\w+|commands\.getoutput|asyncio\.create_subprocess_\w+|child_process\.\w+|execa(?:\.\w+)?|shelljs\.exec|Bun\.spawn(?:Sync)?|zx\.\$|sh\.\w+|pexpect\.\w+)$/;
const CODE =
  /^(?:exec|eval|execfile|import|Function|builtins\.(?:exec|eval)|vm\.(?:run\w+|Script|compileFunction)|(?:window|globalThis|self|global)\.(?:eval|Function)|types\.FunctionType|(?:c?[pP]ickle|dill|cloudpickle|marshal)\.loads?|code\.InteractiveInterpreter\(\)\.\w+)$|\.__dict__\.(?:exec|eval)$|\._compile$|\.(?:RtlMoveMemory|WriteProcessMemory)$/;
/** Executes a file that one of its arguments names. */
const LOADS = /\b(?:spec_from_file_location|run_path|load_source|SourceFileLoader)$|^(?:require|import)$/;
/** Methods that prove who calls. */
const SIGNS_IN =
  /^(?:login|auth\w*|connect|starttls|createTransport|client|resource|Session|set_credentials|Transport|WebClient|Bot|Client|SMTP|SMTP_SSL|Redis|StrictRedis|MongoClient|from_url|createConnection|create_connection)$/;
const SIGNED =
  /^(?:headers?|auth|authorization|cookies?|cert|credentials|password|pass|user|username|token|api_?key|key|x-api-key|secret|client_secret|access_?token|aws_\w+|key_filename|httpsAgent|agent)$/i;
/** What a client signs with or loads, and does not send as it is. */
const SIGNS = /^(?:credentials|cert|aws_\w+|key_filename|httpsAgent|agent)$/i;
const ADDRESSED = /^(?:url|uri|host|hostname|path|params|query|qs|endpoint|base_?url|searchParams)$/i;
const ADDRESS_FIRST =
  /^(?:get|post|put|patch|delete|head|request|fetch|urlopen|Request|urlretrieve|stream|options|axios|got|needle|sendBeacon|WebSocket|EventSource|ws|ky|node-fetch)$/;

/** Their argument is the path of what they send. */
const UPLOADS =
  /^(?:upload_?file|uploadFile|fput_object|fPutObject|upload_from_filename|upload|sendFile|send_document|sendDocument|fastPut|uploadFrom|put_file|storbinary|cloud_upload|file_upload|filesUpload|files_upload(?:_v2)?)$/;

type Sent = { position: Position; labels: readonly Label[]; texts: readonly string[] };

/** Reports what a call sends, and returns whether it speaks with the network. */
export function sendByCall(tree: TreeProgram, call: Call): boolean {
  const { ref, name, args, named, base, node } = call;
  const range = rangeOf(node);
  const isLookup = LOOKUP.test(ref);
  if (name === "pipe" || name === "pipeline" || name === "copyfileobj") {
    const labels = joinLabels([base.labels, ...args.slice(0, -1).map((arg) => arg.labels)]);
    for (const target of args.filter((arg) => NETWORK.test(arg.ref)))
      reportTransfer(tree.program, labels, { position: "body", texts: addressesOf(target) }, range);
  }
  if (!isLookup && !NETWORK.test(ref)) return false;
  const values = [...args, ...named.values()];
  const addresses = addressesOfCall(call);
  if (isLookup) {
    const labels = joinLabels(values.map((value) => value.labels));
    reportTransfer(tree.program, labels, { position: "lookup", texts: addresses }, range);
    return false;
  }
  const sent: Sent[] = [];
  if (UPLOADS.test(name)) {
    const paths = joinLabels(values.map((value) => contentsOf(tree.program, value)));
    reportTransfer(tree.program, paths, { position: "body", texts: addresses }, range);
  }
  const inside = MAILS.test(ref) ? "message" : "body";
  for (const [at, arg] of args.entries()) {
    const position = SIGNS_IN.test(name) ? "login" : at === 0 && ADDRESS_FIRST.test(name) ? "address" : inside;
    collect(sent, arg, position);
  }
  for (const [key, value] of named) {
    const position = positionOf(key, inside);
    collect(sent, value, SIGNS_IN.test(name) && position !== "address" ? "login" : position);
  }
  // What a session was given before goes out with each of its requests.
  const kept = ADDRESS_FIRST.test(name) ? base.labels.filter(({ kind }) => kind === "variable") : [];
  if (kept.length > 0) sent.push({ position: "header", labels: kept, texts: [] });
  leakByCall(tree, call, addresses, range);
  // A request that was built before: `urlopen(request)`.
  for (const { position, labels } of sent) reportTransfer(tree.program, labels, { position, texts: addresses }, range);
  return true;
}

function collect(sent: Sent[], value: Value, position: Position): void {
  if (value.labels.length === 0) return;
  const known = new Set<string>();
  for (const [key, inner] of value.props ?? []) {
    for (const label of inner.labels) known.add(label.name);
    collect(sent, inner, /^(?:header|login)$/.test(position) ? position : positionOf(key, position, inner));
  }
  const own = value.labels.filter(({ name }) => !known.has(name));
  if (own.length > 0) sent.push({ position, labels: own, texts: [] });
}

/** A field that is called `token` or `api_key` carries a service's own key; a file's contents there are no key. */
function positionOf(key: string, otherwise: Position, value?: Value): Position {
  if (
    SIGNED.test(key) &&
    (value === undefined || value.labels.every(({ kind }) => kind === "variable") || /^headers?$|^auth/i.test(key))
  )
    return SIGNS.test(key) ? "login" : "header";
  return ADDRESSED.test(key) ? "address" : otherwise;
}

/** The addresses that a request may go to: those of the argument that names it, of several when it has several. */
function addressesOfCall({ args, named, base }: Call): readonly string[] {
  const byName = [...named].filter(([key]) => ADDRESSED.test(key)).map(([, value]) => value);
  const given = [...byName, ...args, ...named.values()].map(addressesOf).filter((texts) => texts.length > 0);
  const first = given.find((texts) => texts.some((text) => text.includes("//"))) ?? given[0] ?? [];
  // A path without a host belongs to the address of the client.
  const isWhole = base.address === undefined || first.some((text) => text.includes("//"));
  return isWhole ? first : [base.address ?? "", ...first];
}

export function addressesOf(value: Value): string[] {
  const own = value.texts.filter((text) => /:\/\/|^[\w.-]+\.[a-z]{2,}|^\d+(?:\.\d+){3}/i.test(text));
  const inner =
    value.address !== undefined
      ? [value.address]
      : ["url", "uri", "host", "hostname", "to", "baseURL", "base_url"].flatMap((key) => [
          ...(value.props?.get(key)?.texts ?? []),
        ]);
  return [...own, ...inner];
}

/** `new Image().src = …` and `location = …` send what is in the address. */
export function sendByAssignment(tree: TreeProgram, target: SyntaxNode, object: Value, value: Value): void {
  const property = tree.text.slice(target.from, target.to).split(".").at(-1) ?? "";
  const sends =
    /(?:^Image|createElement)\(\)$|^(?:window\.)?(?:document\.)?location$/.test(object.ref) &&
    /^(?:src|href|action)$/.test(property);
  if (sends) reportTransfer(tree.program, value.labels, { position: "address", texts: value.texts }, rangeOf(target));
}

/** Reports code and commands that come from a download, and follows the command. */
export function executeByCall(tree: TreeProgram, call: Call): void {
  const { ref, args, named, node, base } = call;
  const range = rangeOf(node);
  const [first = NOTHING] = args;
  if (CODE.test(ref) && base.fn === undefined) {
    // What code gets as its data may be packed, and so may a cache.
    const isData = /oads?$|^types/.test(ref);
    const ran = args.map(({ labels }, at) => labels.filter(({ kind }) => kind !== "coded" || (at === 0 && !isData)));
    const last = /(?:^|\.)Function$/.test(ref) ? (args.at(-1)?.labels ?? []) : [];
    reportExecution(tree.program, joinLabels([...ran, last]), range);
    return;
  }
  if (LOADS.test(ref))
    reportExecution(tree.program, joinLabels(args.map((arg) => contentsOf(tree.program, arg))), range);
  if (!COMMAND.test(ref)) return;
  const words = first.items ?? [];
  const [head = first] = words;
  const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:env )?(?:ba|z|da)?sh$|^python[\d.]*$|^node$|^powershell/.test(
    head.texts[0] ?? "",
  );
  const run =
    words.length > 0 && isShell
      ? joinLabels(words.slice(1).map((word) => (isWhole(word) ? word.labels : withoutCoded(word.labels))))
      : (first.texts[0] ?? HOLE).startsWith(HOLE)
        ? first.labels
        : [];
  reportExecution(tree.program, run, range);
  const isQuiet =
    /start_new_session\s*=\s*True|\bDEVNULL\b|creationflags|detached:\s*true|["']ignore["']|windowsHide/.test(
      tree.text.slice(node.from, Math.min(node.to, node.from + 600)),
    );
  const more = args[1]?.items ?? [];
  const command = [...(words.length > 0 ? words : [first]), ...more];
  const options = args.findLast((arg) => arg.props !== undefined)?.props;
  const started: Started = {
    words: command,
    quoted: words.length > 0 || more.length > 0,
    variables: (named.get("env") ?? options?.get("env"))?.props,
    isQuiet,
  };
  followCommand(tree, started, named.get("input") ?? options?.get("input") ?? NOTHING, range);
  // `Popen(…).communicate(text)` and `spawn(…).stdin.write(text)` give the command its input later.
  if (/Popen$|spawn$|exec\w*$/.test(ref)) {
    const stdin: Value = { ...NOTHING, items: started.words, ref: started.quoted ? "words.stdin" : "line.stdin" };
    tree.commandOutput = { ...(tree.commandOutput ?? NOTHING), ref: `${ref}()`, props: new Map([["stdin", stdin]]) };
  }
}

/** Whether a text is not known from its beginning. */
function isWhole({ texts: [text = HOLE] }: Value): boolean {
  return text.startsWith(HOLE);
}

function withoutCoded(labels: readonly Label[]): readonly Label[] {
  return labels.filter(({ kind }) => kind !== "coded");
}

/** Follows a command again, with the input that it gets after its start. */
export function feedCommand(tree: TreeProgram, { name, base, args, named, node }: Call): void {
  const stdin = name === "communicate" ? base.props?.get("stdin") : base;
  if (stdin === undefined || !/^(?:words|line)\.stdin$/.test(stdin.ref)) return;
  const input = named.get("input") ?? args[0] ?? NOTHING;
  if (input.labels.length > 0)
    followCommand(tree, { words: stdin.items ?? [], quoted: stdin.ref === "words.stdin" }, input, rangeOf(node));
}

type Started = {
  words: readonly Value[];
  quoted: boolean;
  variables?: ReadonlyMap<string, Value> | undefined;
  isQuiet?: boolean;
};

function followCommand(
  tree: TreeProgram,
  { words, quoted, variables, isQuiet = false }: Started,
  input: Value,
  range: Range,
): void {
  const texts = words.map(
    ({ texts: own, ref }) =>
      own[0] ?? (ref === "sys.executable" ? "python3" : ref === "process.execPath" ? "node" : HOLE),
  );
  const line = quoted
    ? texts.map((text) => (/^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ")
    : (texts[0] ?? "");
  if (line === "" || line.startsWith(HOLE)) return;
  const { program } = tree;
  const outer = program.hole;
  program.hole = { ...NOTHING, labels: joinLabels([...words.map(({ labels }) => labels), input.labels]) };
  const piped = input.labels.length > 0 ? `printf '${HOLE}' | ${line}` : line;
  tree.commandOutput = followShell(piped, {
    ...{ program, range, runOther: tree.runOther, isQuiet },
    ...(variables !== undefined && { variables }),
  });
  program.hole = outer;
}

/** `import(…)` executes what the address or file holds. */
export function importByCall(tree: TreeProgram, node: SyntaxNode, given: Value): Value {
  reportExecution(tree.program, contentsOf(tree.program, given), rangeOf(node));
  return { ...NOTHING, ref: given.texts[0]?.replace(/^node:/, "") ?? "" };
}

export function rangeOf({ from, to }: SyntaxNode): Range {
  return { start: from, end: Math.min(to, from + 600) };
}
