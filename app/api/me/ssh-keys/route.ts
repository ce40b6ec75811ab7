import { AddSshKeyInput, SshKey, SshKeyList } from "@/lib/auth/schema";
import { addSshKey, listSshKeys } from "@/lib/auth/ssh-keys";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "session",
  summary: "List your SSH keys",
  answer: SshKeyList,
  handle: ({ ctx }) => listSshKeys(ctx),
});

export const POST = route({
  access: "session",
  summary: "Register an SSH key by a signature that it made",
  body: AddSshKeyInput,
  answer: SshKey,
  status: 201,
  handle: ({ ctx, body }) => addSshKey(ctx, body),
});
