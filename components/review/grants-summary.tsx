import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import type { Version } from "@/lib/skills/versions/schema";

type Grants = Version["declaredGrants"];

/** What a decision gives, in sentences; what opens the host stands out. */
export function GrantsSummary({ grants }: { grants: Grants }) {
  const { network, scripts, tools, env, credentials, paths, namespaces, capabilities, workspace, timeoutSeconds } =
    grants;
  return (
    <ul className="flex flex-col gap-1 text-13">
      {network === true ? (
        <Line isLoud>The network, any address that the worker’s operator allows</Line>
      ) : Array.isArray(network) && network.length > 0 ? (
        <Line isLoud>
          The network, only <Names names={network} />
        </Line>
      ) : (
        <Line>No network</Line>
      )}
      {env && env.length > 0 ? (
        <Line isLoud>
          Environment: <Names names={env} />
        </Line>
      ) : (
        <Line>No environment variables</Line>
      )}
      {credentials?.map(({ slot, credential, as, name }) => (
        <Line key={`${as} ${name}`} isLoud>
          Gets the credential <Names names={[credential]} /> as the {as === "env" ? "variable" : "file"}{" "}
          <Names names={[as === "env" ? name : `/run/secrets/${name}`]} />
          {slot === name ? null : (
            <>
              , for <Names names={[slot]} />
            </>
          )}
        </Line>
      ))}
      {tools ? <Line>Tools without asking: {tools.length > 0 ? <Names names={tools} /> : "none"}</Line> : null}
      {scripts ? <Line isLoud>Its scripts may be read and run</Line> : null}
      {paths?.map(({ path, mode }) => (
        <Line key={path} isLoud>
          {mode === "rw" ? "Reads and writes" : "Reads"} <Names names={[path]} /> of the host
        </Line>
      ))}
      {workspace ? <Line isLoud>Reads and writes the files of its session’s workspace</Line> : null}
      {namespaces && namespaces.length > 0 ? (
        <Line isLoud>
          Shares with the host: <Names names={namespaces} />
        </Line>
      ) : null}
      {capabilities && capabilities.length > 0 ? (
        <Line isLoud>
          Capabilities: <Names names={capabilities} />
        </Line>
      ) : null}
      {timeoutSeconds ? <Line>At most {timeoutSeconds} seconds a run</Line> : null}
    </ul>
  );
}

function Line({ isLoud = false, children }: { isLoud?: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2" data-fact={isLoud ? "stands-out" : "plain"}>
      <span className="flex h-5 w-4 shrink-0 items-center justify-center">
        {isLoud ? (
          <TriangleAlert aria-hidden className="size-4 text-warning" />
        ) : (
          <span aria-hidden className="size-1 rounded-full bg-muted-foreground" />
        )}
      </span>
      <span className={isLoud ? "min-w-0 font-medium [overflow-wrap:anywhere]" : "min-w-0 [overflow-wrap:anywhere]"}>
        {children}
      </span>
    </li>
  );
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <code className="font-mono font-normal text-xs">
      <RevealedText text={names.join(", ")} />
    </code>
  );
}
