import type { Rule } from "../scan/rule";
import { around, has, isCommand, isOwnOrPlaceholder, isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

const SENDS =
  /\brequests\.|\burlopen\b|\bsmtplib\b|\bsocket\b|\baxios\b|\bfetch\s*\(|sendBeacon|https?:\/\/|\bcurl\b|webhook/i;
const SENDS_AWAY =
  /\b(?:curl|wget|fetch\(|requests\.post|axios|POST|Invoke-RestMethod)\b[^\n]{0,80}https?:\/\/(?!localhost(?![\w.-])|127\.|[^\s/"']*\bexample\.(?:com|org|net))[\w-]+\.\w/;
const PERMITS =
  /dangerously-skip-permissions|dangerously-bypass|--yolo|--trust-all-tools|--allow-all-tools|--full-auto/;
const SECRET_THINGS =
  /wallets?\b|keystore|id_rsa|id_ed25519|\.env\b|credentials?|private[ _-]?keys?|mnemonic|seed[ _-]?phrase|\.ssh\b|api[ _-]?keys?|secrets/i;
const SEARCHES = /\b(?:find|search|list|collect|recursive\w*|scan|enumerate|inventory|locate|dump|gather)\b/i;

/** Secrets that are taken from people and agents instead of files. */
export const TYPED_SECRETS: Rule[] = rulesOf([
  {
    id: "CRD-008",
    version: 3,
    severity: "critical",
    title: "Takes what the user types",
    why: "Records keys or form fields and sends them, or asks for the system password in a window of its own.",
    owasp: ["ASI03", "ASI09", "LLM02"],
    asBad: "info",
    patterns: [
      {
        // The words of a wallet, or what opens all passwords, for a host of the skill.
        lines: 6,
        hints: [
          "mnemonic",
          "phrase",
          "seed_words",
          "seedwords",
          "recovery_words",
          "master_pass",
          "masterpass",
          "master=",
          'master"',
          "master'",
          "master:",
        ],
        re: String.raw`\b(?:curl\s|(?:requests|httpx|axios)\.(?:post|put)\(|fetch\(|urlopen\(|Invoke-RestMethod\s)(?:[^\n]*\n){0,4}?[^\n]*["'\\{,&\s?](?:mnemonic|seed_?(?:phrase|words)|recovery_?(?:phrase|words)|secret_?(?:recovery_?)?phrase|master_?(?:password|pass)?)\\?["']?\s*[:=]\s*\S[^\n]*`,
        weigh: (match) =>
          isCommand(match) &&
          /https?:\/\/(?!localhost(?![\w.-])|127(?:\.\d+){3}(?![\w.-])|10(?:\.\d+){3}(?![\w.-])|192\.168(?:\.\d+){2}(?![\w.-]))[\w-]+\.\w/.test(
            match.text,
          ) &&
          !isOwnOrPlaceholder(match.text) &&
          !/https?:\/\/[^\s/"']*\bexample\.(?:com|org|net)/i.test(match.text),
      },
      {
        // A page tells the agent to ask for the words and to send the answer.
        hints: [
          ...[
            "recovery word",
            "recovery phrase",
            "seed phrase",
            "seed word",
            "secret phrase",
            "mnemonic",
            "backup phrase",
          ],
          ...["12 word", "24 word", "12-word", "24-word", "twelve word", "secret word"],
        ],
        re: String.raw`\b(?:ask|prompt|request|have|let|get|collect|obtain|take)\b[^.\n]{0,60}\b(?:(?:seed|recovery|backup|secret)\s(?:recovery\s)?(?:words|phrases?)|mnemonics?|(?:12|24|twelve)[ -](?:or 24 )?(?:\w+ )?words?)\b`,
        weigh: ({ file, line, after }) =>
          isProse(file) &&
          !/\b(?:never|not|n['’]t|without)\b[^.\n]{0,40}\b(?:seed|recovery|secret|mnemonic|words)/i.test(line) &&
          SENDS_AWAY.test(after),
      },
      {
        hints: ["hidden answer"],
        re: String.raw`\bhidden\s+answer\b`,
        weigh: ({ file }) =>
          file.kind === "script" &&
          has(file, /-authonly|unlock-keychain|\bsudo\s+-\w*S|\bcurl\b|>\s*\S{0,60}\/\.\w|verifypassword/i),
      },
      {
        hints: [
          "keyboard.listener",
          "on_press",
          "setwindowshookex",
          "getasynckeystate",
          "iohook",
          "uiohook",
          "keyboard.hook",
          "/dev/input/event",
        ],
        re: String.raw`\b(?:keyboard\.Listener|on_press|SetWindowsHookEx\w*|GetAsyncKeyState|u?iohook|keyboard\.hook)\b|/dev/input/event\d*`,
        weigh: ({ file }) =>
          has(file, SENDS) &&
          has(
            file,
            /(?:append|push|write|send)\([^\n]{0,30}(?:key|event\.name|e\.name|\.char)|\+=\s*(?:str\(key|key|chr\(|event|e\.)/,
          ),
      },
      {
        hints: ["document.addeventlistener", "window.addeventlistener", "body.addeventlistener"],
        re: String.raw`\b(?:document|window|document\.body)\.addEventListener\(\s*["'\x60](?:key(?:down|press|up)|input|submit|change|paste)["'\x60]`,
        weigh: ({ after, file }) =>
          /=== ?["'`]password|type=\\?["']?password|\bcvv|card|(?:\+=?|push\(|concat\()[^\n]{0,20}\b\w{1,5}\.key\b/i.test(
            after,
          ) &&
          (/(?:sendBeacon|fetch|axios\.post|\.src\s*=|WebSocket)[^\n]{0,40}["'`]https?:\/\//.test(after) ||
            has(file, /(?:sendBeacon\s*\(|\.src\s*=|new WebSocket\()\s*["'`](?:https?|wss?):\/\//)),
      },
    ],
  },
  {
    id: "CRD-009",
    severity: "critical",
    title: "Lets an agent search for secrets",
    why: "Starts a coding agent without its confirmations and has it search for keys, wallets or passwords.",
    owasp: ["ASI03", "ASI10", "LLM06"],
    asBad: "info",
    hints: ["dangerously", "--yolo", "--trust-all-tools", "--allow-all-tools", "--full-auto"],
    re: String.raw`--(?:dangerously-(?:skip-permissions|bypass-[\w-]+)|yolo|trust-all-tools|allow-all-tools|full-auto)\b`,
    weigh: (match) => {
      const near = around(match);
      return match.file.kind === "script" && PERMITS.test(near) && SECRET_THINGS.test(near) && SEARCHES.test(near);
    },
  },
]);
