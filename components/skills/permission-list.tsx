import { ShieldAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import type { CredentialGrant } from "@/lib/policy/grants/schema";
import { isScript } from "@/lib/skill-format/entry/is-script";
import type { SkillManifest } from "@/lib/skill-format/schema";
import type { VersionFile } from "@/lib/skills/versions/schema";
import { type Permission, permissionsOf } from "./permissions";
import { countOf } from "./skill-labels";

type PermissionListProps = {
  manifest: SkillManifest;
  files: readonly Pick<VersionFile, "path" | "mode">[];
  /** Credentials that the decision gives it. */
  credentials?: readonly CredentialGrant[] | undefined;
};

/** What a version may do, in sentences, the loudest first. */
export function PermissionList({ manifest, files, credentials = [] }: PermissionListProps) {
  const executables = files.filter((file) => file.mode === "755" && file.path !== manifest.entry);
  const scripts = files.filter((file) => isScript(file) && file.mode !== "755" && file.path !== manifest.entry);
  return (
    <div className="flex flex-col gap-4 text-13">
      {manifest.kind === "pack" && manifest.allowedTools === null ? null : (
        <AllowedTools allowedTools={manifest.allowedTools} />
      )}
      <ul className="flex flex-col gap-1.5">
        {manifest.entry ? (
          <Fact tone="warning">
            Runs the program <Name>{manifest.entry}</Name>, for at most {manifest.timeoutSeconds ?? 30} seconds
          </Fact>
        ) : (
          <Fact>Skillgate itself runs nothing of it</Fact>
        )}
        {manifest.envAllow.length > 0 ? (
          <Fact tone="warning">
            Is given the environment {manifest.envAllow.length === 1 ? "variable" : "variables"}{" "}
            {manifest.envAllow.map((name, index) => (
              <span key={name}>
                {index > 0 ? ", " : ""}
                <Name>{name}</Name>
              </span>
            ))}
          </Fact>
        ) : (
          <Fact>Is given no environment variables</Fact>
        )}
        {credentials.map(({ credential, as, name }) => (
          <Fact key={`${as} ${name}`} tone="warning">
            Gets the credential <Name>{credential}</Name> as the {as === "env" ? "variable" : "file"}{" "}
            <Name>{name}</Name>
          </Fact>
        ))}
        {executables.length > 0 ? (
          <Fact tone="warning">
            Brings {countOf(executables.length, manifest.entry ? "more executable file" : "executable file")}:{" "}
            <Names files={executables} />
          </Fact>
        ) : null}
        {scripts.length > 0 ? (
          <Fact tone="warning">
            Brings {countOf(scripts.length, "script")} that an agent can run: <Names files={scripts} />
          </Fact>
        ) : null}
        {manifest.meta.hooks === undefined ? null : (
          <Fact tone="danger">Declares hooks, which run commands by themselves</Fact>
        )}
        {/(^|\s)!`[^`\n]+`/.test(manifest.body) ? (
          <Fact tone="danger">Its playbook has inline commands that run when it is opened</Fact>
        ) : null}
        {manifest.always ? <Fact tone="warning">Asks to be in every conversation</Fact> : null}
        {manifest.contextFork ? <Fact>Runs in a conversation of its own</Fact> : null}
      </ul>
    </div>
  );
}

/** An `allowed-tools` list in sentences. */
export function AllowedTools({ allowedTools }: { allowedTools: readonly string[] | null }) {
  if (allowedTools === null) {
    return (
      <p className="text-13 text-muted-foreground">It lists no allowed tools: an agent asks before it uses any.</p>
    );
  }
  if (allowedTools.length === 0) {
    return (
      <p className="text-13 text-muted-foreground">Its list of allowed tools is empty: nothing runs without asking.</p>
    );
  }
  return (
    <div className="flex flex-col gap-1.5 text-13">
      <p className="text-muted-foreground">These run without asking in Claude Code:</p>
      <ul className="flex flex-col gap-1.5">
        {permissionsOf(allowedTools).map(({ patterns, text, tone }) => (
          <Fact key={text} tone={tone}>
            <RevealedText text={text} /> <Patterns patterns={patterns} text={text} />
          </Fact>
        ))}
      </ul>
    </div>
  );
}

/** The words of the file, unless the sentence says them already. */
function Patterns({ patterns, text }: { patterns: readonly string[]; text: string }) {
  const unsaid = patterns.filter((pattern) => !text.endsWith(pattern) && !isScoped(pattern));
  return unsaid.length > 0 ? <Name>{unsaid.join(", ")}</Name> : null;
}

function isScoped(pattern: string): boolean {
  return pattern.includes("(");
}

function Fact({ tone = "neutral", children }: { tone?: Permission["tone"]; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2" data-fact={tone}>
      <span className="flex h-5 w-4 shrink-0 items-center justify-center">
        {tone === "danger" ? (
          <ShieldAlert aria-hidden className="size-4 text-danger" />
        ) : tone === "warning" ? (
          <TriangleAlert aria-hidden className="size-4 text-warning" />
        ) : (
          <span aria-hidden className="size-1 rounded-full bg-muted-foreground" />
        )}
      </span>
      <span className={tone === "danger" ? "font-medium text-danger" : tone === "warning" ? "font-medium" : ""}>
        {children}
      </span>
    </li>
  );
}

function Name({ children }: { children: string }) {
  return (
    <code className="font-mono font-normal text-xs [overflow-wrap:anywhere]">
      <RevealedText text={children} />
    </code>
  );
}

function Names({ files }: { files: readonly Pick<VersionFile, "path">[] }) {
  const shown = files.slice(0, 5);
  return (
    <>
      {shown.map((file, index) => (
        <span key={file.path}>
          {index > 0 ? ", " : ""}
          <Name>{file.path}</Name>
        </span>
      ))}
      {files.length > shown.length ? ` and ${files.length - shown.length} more` : ""}
    </>
  );
}
