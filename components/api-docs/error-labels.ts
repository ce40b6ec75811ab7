export const errorExplanations: Record<string, string> = {
  malformed:
    "The request cannot be parsed: broken JSON, a wrong type or an unknown cursor. Correct it before you send it again.",
  unauthenticated:
    "The sign-in is missing, or the token is unknown, expired or revoked. Sign in, or send another token.",
  forbidden: "You are signed in but may not do this: the role or a scope is missing. `detail` names it.",
  cross_origin: "A write with the session cookie came from another site. Use a bearer token in programs.",
  quota_exceeded:
    "A quota of the person is used up, such as the number or size of their skills. The rule names the quota; an admin can raise it.",
  separation_of_duties:
    "Another person must decide: you wrote or imported this version, or you have already approved it.",
  not_found: "The object does not exist, or you may not see it. Both cases return the same answer.",
  method_not_allowed: "The path exists but does not support this method.",
  request_timeout:
    "The body arrived more slowly than 512 bytes a second, and the server closed the connection. Send it again over a faster link.",
  conflict: "The current state does not allow this, e.g. a name is taken or a run has ended.",
  not_approved: "The skill has no approved version or is switched off, so it cannot run.",
  no_isolation:
    "No available worker isolates runs of this class well enough, and no setting allows an exception. Install bubblewrap on a worker, or ask an admin.",
  worker_does_not_allow:
    "The skill has a permission that no worker's operator allows. `detail` names the worker and the variable that allows it.",
  version_tampered:
    "The stored bytes of the version differ from the approved ones. Restore them from a backup, or import the skill again.",
  credential_missing:
    "A credential granted to the skill no longer exists. Ask an admin to add one with that name, or have the skill approved without it.",
  not_offered: "The requested edge or worker does not have this skill. GET /api/edges?skill= lists those that do.",
  unknown_edge: "No edge has this id or name: it was revoked or never added.",
  confirmation_required: "The skill is mutating. Send `confirm: true` after a person has agreed.",
  idempotency_mismatch: "The Idempotency-Key was used for another request. Use a new key for new content.",
  gone: "The object no longer exists: the version was revoked, its skill was switched off or deleted, or the URL has expired.",
  stale: "The object was changed after you read it (`If-Match`). Read it again and repeat the change.",
  too_large: "The body exceeds the limit of this endpoint.",
  unsupported_type: "This endpoint does not accept the content type.",
  invalid: "The request is well-formed but invalid. `errors` lists the path and the reason for each field.",
  schema_invalid:
    "The arguments schema of the skill is not valid JSON Schema. `errors` lists each problem. Correct the file and import it again.",
  address_not_allowed:
    "The address is not public, and no range set by the operator allows it. `detail` names the variable that allows it.",
  archive_rejected: "The archive is unsafe or broken. Nothing was stored.",
  rate_limited: "Too many requests. Wait for the seconds in `Retry-After`.",
  internal: "The server failed. Search its log for `requestId`.",
  unavailable: "The database or another dependency is not available. Try again after `Retry-After`.",
  storage_full:
    "The disk of the server is full or almost full. Nothing was stored; reads still work. Try again when space is free.",
};

export const accessLabels: Record<string, string> = {
  public: "No sign-in",
  read: "Scope read",
  run: "Scope run",
  write: "Scope write",
  review: "Scope review",
  admin: "Scope admin",
  session: "Browser session only",
  worker: "Worker token",
};
