import type { Position } from "./judge-flow";
import { type Program, reportExecution, reportTransfer, step, writeFile } from "./program";
import { secretAddress, secretCommand, secretFile, secretVariable } from "./secret-places";
import { CODED, HOLE, joinLabels, type Label } from "./values";

const ASSIGNS =
  /^\s*(?:(?:my|our|local|var|val|let|const|set|def|static|final|dim|\[\w[\w.[\]]{0,40}\])\s+)?[$@%]?((?:script:|global:)?[A-Za-z_]\w*)(?:\s*,\s*[A-Za-z_]\w*)?(?:\s*:=|\s*[-+.]?=(?![=~>]))\s*(.*)$/i;
const EACH =
  /\bforeach\s*\(?\s*(?:my\s+)?\$(\w+)\s+in\b\s*(.*)$|^\s*for\s+(?:\w+\s*,\s*)?(\w+)\s+in\s+(.*)$|^\s*for\s+(?:\w+\s*,\s*)?(\w+)\s*:?=\s*range\s+(.*)$|^\s*for(?:each)?\s+(?:my\s+)?\$(\w+)\s*(\(.*)$/i;
/** The list before its element: PHP's `foreach (LIST as $x)`, Ruby's `LIST.each do |x|`. */
const EACH_OF =
  /\bforeach\s*\((.*?)\bas\s+(?:\$\w+\s*=>\s*)?\$(\w+)|^(.*)\.(?:each(?:_with_index|_with_object\([^)]*\))?|map|flat_map|filter_map|select|to_h)\b[^|]{0,12}(?:do|\{)\s*\|\s*\(?(\w+)/i;
const ENVIRONMENT =
  /\b(?:Get-ChildItem|gci|dir|ls)\s+env:|GetEnvironmentVariables\b|\bENV\.(?:to_h|to_a|map|each|select|inspect)\b|\bENV\)|%ENV\b|\$_ENV\b|\$_SERVER\b|\bgetenv\(\)|\bos\.Environ\(\)|System\.getenv\(\)/i;
const FETCHES =
  /\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|curl|wget)\b|\bDownload(?:String|Data|File)(?:Async|TaskAsync)?\b|\bURI(?:\.parse\([^)]{0,200}\))?\.(?:open|read)\b|\bNet::HTTP\.(?:get|start)|\b(?:HTTParty|Faraday|RestClient|LWP::Simple|HTTP::Tiny|http)\b[^;]{0,60}\.?(?:get|Get|new)\b|\bfile_get_contents\s*\((?!\s*["'](?!https?:))|\bcurl_exec\b|\bGetStringAsync\b|\bGetByteArrayAsync\b/i;
const SENDS =
  /\s-(?:Body|InFile|Form)\b|\bUpload(?:String|Data|File|Values)(?:Async)?\b|\bPostAsync\b|\bSend-MailMessage\b|\bNet::HTTP\.post|\.post(?:_form)?\s*\(|->post\s*\(|\bhttp\.Post\w*\s*\(|\bHTTP::Post\b|CURLOPT_POSTFIELDS|\bcurl(?:\.exe)?\b[^|]{0,200}\s(?:-d|--data\S*|-F|-T|--upload-file)\b|http_build_query|\bhttp\.NewRequest(?:WithContext)?\s*\([^)]{0,40}(?:POST|PUT|PATCH|Method(?:Post|Put|Patch))|(?:\.|->)request\s*\(\s*\$?\w+\s*\)/;
const LOOKS_UP =
  /\b(?:Resolve-DnsName|nslookup|GetHostAddresses|GetHostEntry|gethostbyname|dns_get_record|checkdnsrr|Resolv(?:::DNS)?\.(?:get|new|open)|Resolver\w*\.(?:Lookup|query)|net\.Lookup\w+|getresources?\b|socket\.dns\.)/i;
const EXECUTES =
  /(?:^|[\s;|{(&])(?:iex|Invoke-Expression)\b|\[?ScriptBlock\]?::Create\s*\(|Assembly\]?::Load\s*\(|\bAdd-Type\b[^;]{0,80}-TypeDefinition|\bInvoke-Command\b[^;]{0,80}-ScriptBlock|\b(?:instance_|class_)?eval\b[\s(]|\bassert\s*\(|\bcreate_function\s*\(|\bload(?:string)?\s*\(|\bVirtualAlloc\b|\bMarshal\]::Copy\s*\(/i;
/** A command that is a variable as a whole. */
const RUNS = /\b(?:system|exec|shell_exec|passthru|popen|os\.execute)\s*\(?\s*[$@]?([A-Za-z_]\w*)\s*\)?\s*$/;
/** Writes to a socket, or to a file. */
const WRITES = /\.(?:Write|Send|puts|write)\s*\(|\b(?:print|syswrite|send)\s*\(?\s*\{?\$\w+\}?[\s,]/;
/** Parts of a command's name or of an address. */
const JOINED = /(["'])\s?\+\s?\1/g;
/** Commands that write what they read into a file that a variable names. */
const SAVES_IN =
  /\b(?:Copy-Item|Move-Item|cp|copy)\s+(?:-Path\s+)?\S+\s+(?:-Destination\s+)?["'(]*\$(\w+)|-(?:OutFile|DestinationPath|Destination|FilePath)\s+["'(]*\$(?!env:)(\w+)|\bDownloadFile\s*\([^,]{1,200},\s*["']?\$(\w+)/i;
/** `if (…) { $x = …`: the block is a statement of its own. */
const GUARDED = /^(\s*(?:if|elseif|else|try)\b[^{]{0,200})\{/i;
/** Starts a file that a variable names, without a window. */
const STARTS_UNSEEN = /\b(?:Start-Process|Invoke-Item)\s+(?:-FilePath\s+)?["'(]*\$(\w+)\b.*-WindowStyle\s+Hidden/i;
const SOCKETS = /TcpClient|UdpClient|TCPSocket|fsockopen|IO::Socket|net\.Dial|socket\.(?:tcp|connect)/;
const ENCODES = /ToBase64String|base64|bin2hex|unpack|EncodeToString|gzip/i;
const MAILS =
  /\bMail\.(?:new|deliver)\b|\bPony\b|Net::SMTP|PHPMailer|Swift_|MailMessage|SmtpClient|gomail|net\/smtp|MIME::Lite|Email::|\bmail\s*\(/;
const MAIL_BLOCK = /\bMail\.(?:new|deliver!?)(?:\s*\([^)]*\))?\s*(?:do|\{)\s*$/;
const ENDS_BLOCK = /^\s*(?:end\b|\})/;
const SENDS_MAIL =
  /\bdeliver(?:_now|_later)?\b!?|\bPony\.mail\b|\.send_?mail\b|\bsend_?message\b|\bSendMail\s*\(|\bDialAndSend\s*\(|(?:^|[\s=@(])mail\s*\(|->send\b|\.Send(?:MailAsync|Async)?\s*\(/;
/** Sets or adds a part of an object: `mail.body = X`, `$mail->addAttachment(X)`, `message.Attachments.Add(X)`. */
const SETS =
  /^\s*[$@]{0,2}([A-Za-z_]\w*)(?:(?:\.|->)\w+|\[[^\]]{0,60}\]){1,4}\s*(?:[-+.]?=(?![=~>])|<<)|^\s*[$@]{0,2}([A-Za-z_]\w*)(?:(?:\.|->)\w+){0,3}(?:\.|->)(?:add\w*|attach\w*|append|push|write|set_?body\w*)\s*\(|^\s*[$@]{0,2}([A-Za-z_]\w*)\s*<</i;
const SETS_HEADER =
  /\[\s*["'](?:auth|x-|api|cookie|accept|content|user-agent|private)|\.headers?\b|->headers?\b|setRequestHeader|basic_auth/i;
/** Decodes a text, or changes each letter of one. */
const UNPACKS =
  /\b(?:Base64\.(?:strict_|urlsafe_)?decode64|Zlib\b[\w:.]*inflate|gzinflate|gzuncompress|gzdecode|base64_decode|str_rot13|FromBase64String|DecodeString)\s*\(|\.unpack1?\s*\(\s*["'][mH]|\.chr\b|-bxor\b|\bchr\s*\([^)]{0,60}\^/i;
const QUOTED = /"([^"\n]{1,300})"|'([^'\n]{1,300})'/g;
const MAX_LINES = 5_000;
const MAX_LINE_CHARS = 20_000;
const MAX_STATEMENT_CHARS = 1_000;

/**
 * Follows values line by line through languages without a parser here: PowerShell, batch files, Ruby, Perl, PHP, Go, Lua.
 * A variable has what the last lines gave to it; blocks are not told apart.
 */
export function followLines(text: string, program: Program): void {
  const variables = new Map<string, { labels: readonly Label[]; addresses: readonly string[] }>();
  // What each variable was made of, so that a file in a folder is a file of the folder.
  const origins = new Map<string, string[]>();
  const hasSocket = SOCKETS.test(text);
  const statements = statementsOf(text, program);
  const functions = functionsOf(statements);
  // A function is read again when the lines that call it are known.
  const mails = MAILS.test(text);
  // The block that says what a mail is: `mail = Mail.new do`.
  let mail: { name: string; isSent: boolean } | null = null;
  const passes = functions.size > 0 ? [statements, statements] : [statements];
  let open: LineFunction | undefined;
  const addTo = (object: string, labels: readonly Label[]) => {
    const before = variables.get(object);
    if (labels.length > 0 && before !== undefined)
      variables.set(object, { ...before, labels: joinLabels([labels, before.labels]) });
  };
  for (const { code, start } of passes.flat()) {
    if (!step(program)) return;
    const defined = functions.get(definedIn(code));
    if (defined !== undefined) {
      open = defined;
      for (const param of defined.params) variables.set(param, { labels: defined.given, addresses: [] });
    } else if (endsFunction(code)) open = undefined;
    const called = defined === undefined ? calledIn(code, functions) : [];
    const [, name = "", given = code] = ASSIGNS.exec(code) ?? [];
    const handle = /\bopen\s*\(?\s*(?:my\s+)?\$?(\w+)\s*,/.exec(code)?.[1] ?? "";
    const [element = "", listed = ""] = loopOf(code);
    const words = [...given.matchAll(/[$@%]?[A-Za-z_]\w*/g)].map(([word]) => word.replace(/^[$@%]/, "").toLowerCase());
    const known = [...new Set(words)].flatMap((word) => variables.get(word) ?? []);
    const written = code.match(/https?:\/\/[^\s"'`)>]+/gi) ?? [];
    const addresses = written.length > 0 ? written : known.flatMap((value) => value.addresses).slice(0, 20);
    const own = joinLabels([known.flatMap((value) => value.labels), labelsOf(code, addresses[0] ?? "", program)]);
    for (const each of called) each.given = joinLabels([each.given, own]);
    const labels = joinLabels([own, ...called.map(({ returns }) => returns)]);
    if (open !== undefined && name === "") open.returns = joinLabels([open.returns, labels]);
    const range = { start, end: start + code.length };
    const { sent, signing } = headerless(code, labels, variables);
    const send = (position: Position, what = sent) =>
      reportTransfer(program, what, { position, texts: addresses }, range);
    if (mails) {
      if (mail !== null && ENDS_BLOCK.test(code)) {
        if (mail.isSent) send("message", variables.get(mail.name)?.labels ?? []);
        mail = null;
      }
      if (MAIL_BLOCK.test(code)) {
        mail = { name: (name || "mail").toLowerCase(), isSent: /deliver/.test(code) };
        variables.set(mail.name, { labels: [], addresses: [] });
      } else if (SENDS_MAIL.test(code)) send("message", labels);
      else if (mail !== null) addTo(mail.name, labels);
    }
    const object = SETS.exec(code)?.slice(1).find(Boolean)?.toLowerCase();
    if (object !== undefined && !SETS_HEADER.test(code)) addTo(object, labels);
    if (LOOKS_UP.test(code)) send("lookup", labels);
    else if (SENDS.test(code) || (hasSocket && WRITES.test(code))) send("body");
    else if (FETCHES.test(code)) send("address");
    // Of several addresses in a line, one may be what the request is about.
    if (new Set(addresses).size === 1 && (SENDS.test(code) || FETCHES.test(code))) send("header", signing);
    if (EXECUTES.test(code)) reportExecution(program, labels, range);
    const command = RUNS.exec(code)?.[1]?.toLowerCase() ?? "";
    reportExecution(program, variables.get(command)?.labels ?? [], range);
    saveIn(program, code, labels);
    reportExecution(program, variables.get(STARTS_UNSEEN.exec(code)?.[1]?.toLowerCase() ?? "")?.labels ?? [], range);
    const saved = SAVES_IN.exec(code)?.slice(1).find(Boolean)?.toLowerCase();
    for (const into of saved === undefined || labels.length === 0 ? [] : [saved, ...(origins.get(saved) ?? [])])
      variables.set(into, { labels: joinLabels([labels, variables.get(into)?.labels ?? []]), addresses: [] });
    if (/\|\s*(?:ForEach-Object|foreach|%|where-object|\?)\s*\{/i.test(code)) variables.set("_", { labels, addresses });
    const held = ENCODES.test(given) ? labels.map((label) => ({ ...label, encoded: true as const })) : labels;
    const target = (name || element || handle).toLowerCase().replace(/^\w+:/, "");
    const isMore = name === "" ? listed !== "" : /^[^=]*[-+.]=/.test(code);
    if (target !== "") {
      origins.set(
        target,
        [...given.matchAll(/\$(?!env:)(\w+)/g)].map(([, word = ""]) => word.toLowerCase()),
      );
      const before = isMore || !/^\S/.test(code) ? variables.get(target) : undefined;
      variables.set(target, {
        labels: joinLabels([held, before?.labels ?? []]),
        addresses: [...new Set([...addresses, ...(before?.addresses ?? [])])].slice(0, 20),
      });
    }
  }
}

/** The variable of a loop, and the list that it goes through. */
function loopOf(code: string): [element: string | undefined, list: string | undefined] {
  const found = (EACH.exec(code) ?? []).slice(1).filter(Boolean);
  if (found.length > 0) return [found[0], found[1]];
  const [list, element] = (EACH_OF.exec(code) ?? []).slice(1).filter(Boolean);
  return [element, list];
}

/** What is sent, without what only a header carries, which signs a request. */
function headerless(
  code: string,
  labels: readonly Label[],
  variables: ReadonlyMap<string, { labels: readonly Label[] }>,
): { sent: readonly Label[]; signing: readonly Label[] } {
  const header =
    /(?:-Headers?\s+(?:@\{[^}]{0,400}\}|\S{1,80})|["']?(?:Authorization|X-\w[\w-]{0,40})["']?\s*(?:=>?|:|,)\s*[^,;)]{0,200})/i.exec(
      code,
    )?.[0];
  if (header === undefined) return { sent: labels, signing: [] };
  const names = [...header.matchAll(/[A-Za-z_]\w*/g)].flatMap(
    ([word]) => variables.get(word.toLowerCase())?.labels ?? [],
  );
  const signs = new Set([...names, ...labels.filter(({ name }) => header.includes(name))].map(({ name }) => name));
  return {
    sent: labels.filter(({ name }) => !signs.has(name)),
    signing: labels.filter(({ name }) => signs.has(name)),
  };
}

function statementsOf(text: string, { steps }: Program): { code: string; start: number }[] {
  const found: { code: string; start: number }[] = [];
  let offset = 0;
  let taken = 0;
  for (const line of text.split("\n")) {
    let start = offset;
    offset += line.length + 1;
    if (/^\s*(?:#|--|\/\/|REM\b|::|$)/i.test(line)) continue;
    taken += 1;
    if (taken > MAX_LINES || line.length > MAX_LINE_CHARS) steps.isLong = true;
    if (taken > MAX_LINES) break;
    const parts = line.slice(0, MAX_LINE_CHARS).replace(JOINED, "").replace(GUARDED, "$1;").split(";");
    for (const code of parts) {
      if (code.length > MAX_STATEMENT_CHARS) steps.isLong = true;
      found.push({ code: code.slice(0, MAX_STATEMENT_CHARS), start });
      start += code.length + 1;
    }
  }
  return found;
}

function labelsOf(code: string, address: string, program: Program): Label[] {
  const found: (Label | null)[] = [];
  for (const [, double, single] of code.matchAll(QUOTED)) {
    const path = (double ?? single ?? "").replace(/\$\{?env:(?:LOCAL)?APPDATA\}?|\$HOME|\$env:USERPROFILE|~/gi, "~");
    found.push(secretFile(path), ...(program.files.get(path) ?? []), secretCommand(path));
  }
  for (const [, bare = ""] of code.matchAll(/(?:^|[\s,])((?:[~$]|[A-Z]:\\|\*\.)[^\s"',]{3,200})/g))
    found.push(secretFile(bare));
  // Words of Ruby and Perl without quotes: `%w[.ssh/id_rsa .netrc]`.
  for (const [, listed = ""] of code.matchAll(/(?:%[wW]|\bqw)\s?[[({<]([^\])}>\n]{3,300})/g))
    found.push(...listed.split(/\s+/).map(secretFile));
  if (ENVIRONMENT.test(code)) found.push({ kind: "environment", name: "the environment", owners: [] });
  for (const [, name = ""] of code.matchAll(/(?:\$env:|\bENV\[["']|\bgetenv\(["']|\bGetenv\(")(\w{3,80})/g))
    found.push(secretVariable(name));
  if (UNPACKS.test(code)) found.push(CODED);
  if (FETCHES.test(code))
    found.push(
      secretAddress(address) ?? {
        kind: "download",
        name: (address || "a download").replaceAll(HOLE, "…").slice(0, 120),
        owners: [],
      },
    );
  return found.filter((label) => label !== null);
}

/** What a line writes into a file that it names in quotes. */
function saveIn(program: Program, code: string, labels: readonly Label[]): void {
  const path =
    /(?:-OutFile|Out-File|Set-Content|Add-Content|-Destination(?:Path)?|-FilePath|File\.write|file_put_contents)\b[\s(]*(?:-\w+\s+)?["']([^"'\n]{1,300})["']/i.exec(
      code,
    )?.[1];
  if (path !== undefined) writeFile(program, path, labels);
}

/** A function of a language without a parser here: its parameters, what calls gave to it, and what it returns. */
export type LineFunction = { params: string[]; given: readonly Label[]; returns: readonly Label[] };

const DEFINES =
  /^\s*(?:(?:async|public|private|static|local|export)\s+){0,2}(?:function|def|func|sub|fun)\s+(?:\([^)]{0,60}\)\s*)?(?:self\.)?([A-Za-z_][\w:-]*[?!]?)\s*(?:\(([^)]{0,300})\))?/i;
const PARAMS = /^\s*(?:param\s*\(([^)]{0,300})|my\s*\(([^)]{0,300})\)\s*=\s*@_)/i;
const ENDS = /^(?:\}|end\b)/;

/** The name of the function that a line defines, in lower case; empty for other lines. */
export function definedIn(code: string): string {
  return DEFINES.exec(code)?.[1]?.toLowerCase() ?? "";
}

export function endsFunction(code: string): boolean {
  return ENDS.test(code);
}

/** The functions of a script by their names in lower case. */
export function functionsOf(statements: readonly { code: string }[]): Map<string, LineFunction> {
  const found = new Map<string, LineFunction>();
  let open: LineFunction | undefined;
  for (const { code } of statements) {
    const [, name = "", listed = ""] = DEFINES.exec(code) ?? [];
    if (name !== "") {
      open = { params: namesOf(listed), given: [], returns: [] };
      found.set(name.toLowerCase(), open);
    }
    const own = PARAMS.exec(name === "" ? code : code.slice(code.indexOf("{") + 1));
    if (own !== null) open?.params.push(...namesOf(own[1] ?? own[2] ?? ""));
    if (endsFunction(code)) open = undefined;
  }
  return found;
}

/** The functions of the script that a line calls. */
export function calledIn(code: string, functions: ReadonlyMap<string, LineFunction>): LineFunction[] {
  if (functions.size === 0) return [];
  const words = new Set([...code.matchAll(/[A-Za-z_][\w:-]*[?!]?/g)].map(([word]) => word.toLowerCase()));
  return [...words].flatMap((word) => functions.get(word) ?? []);
}

/** `string $Body = ""` in PowerShell, `b []byte` in Go, `text:` in Ruby: the name is a variable or the first word. */
function namesOf(listed: string): string[] {
  return listed.split(",").flatMap((part) => {
    const name = /[$@%](\w+)/.exec(part)?.[1] ?? /^\s*[*&]{0,2}([A-Za-z_]\w*)/.exec(part)?.[1];
    return name === undefined ? [] : [name.toLowerCase()];
  });
}
