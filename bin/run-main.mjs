import { Failure } from "./failure.mjs";
import { endCommands } from "./run-command.mjs";
import { onStopSignal } from "./stop-signals.mjs";

/** Runs an entry point: its result is the exit code, and a stop signal ends its running command. */
export async function runMain(main) {
  const stopListening = onStopSignal((signal) => {
    endCommands("SIGKILL");
    process.exit(signal === "SIGINT" ? 130 : 143);
  });
  try {
    process.exitCode = (await main({ stopListening })) ?? 0;
  } catch (error) {
    report(error);
    process.exitCode = error instanceof Failure ? error.exitCode : 1;
  } finally {
    stopListening();
  }
}

function report(error) {
  if (!(error instanceof Failure)) return console.error(error);
  if (error.details) console.error(error.details.trimEnd());
  console.error(error.message);
}
