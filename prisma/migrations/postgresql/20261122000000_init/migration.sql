-- CreateTable
CREATE TABLE "User" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "passwordHash" TEXT COLLATE "C",
    "quotas" TEXT COLLATE "C" NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "revokedAt" TIMESTAMP(3),
    "userAgent" TEXT COLLATE "C",
    "address" TEXT COLLATE "C",

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConnectedSignIn" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "issuer" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ConnectedSignIn_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "personaId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "createdBy" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "OneTimeToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SignInThrottle" (
    "key" TEXT COLLATE "C" NOT NULL,
    "failures" INTEGER NOT NULL,
    "windowStart" TIMESTAMP(3) NOT NULL,
    "lockedUntil" TIMESTAMP(3),

    CONSTRAINT "SignInThrottle_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Setting" (
    "key" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "updatedBy" TEXT COLLATE "C",

    CONSTRAINT "Setting_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Persona" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "permissionMode" TEXT COLLATE "C" NOT NULL,
    "allow" TEXT COLLATE "C" NOT NULL,
    "deny" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Persona_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Blob" (
    "sha256" TEXT COLLATE "C" NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Blob_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "Skill" (
    "id" TEXT COLLATE "C" NOT NULL,
    "ownerKey" TEXT COLLATE "C" NOT NULL,
    "ownerId" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "toolName" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C",
    "description" TEXT COLLATE "C" NOT NULL,
    "whenToUse" TEXT COLLATE "C",
    "class" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT COLLATE "C" NOT NULL,
    "category" TEXT COLLATE "C" NOT NULL,
    "resultPreview" TEXT COLLATE "C",
    "author" TEXT COLLATE "C",
    "version" TEXT COLLATE "C",
    "license" TEXT COLLATE "C",
    "compatibility" TEXT COLLATE "C",
    "homepage" TEXT COLLATE "C",
    "always" BOOLEAN NOT NULL,
    "userInvocable" BOOLEAN NOT NULL,
    "contextFork" BOOLEAN NOT NULL,
    "runnable" BOOLEAN NOT NULL,
    "tags" TEXT COLLATE "C" NOT NULL,
    "depends" TEXT COLLATE "C" NOT NULL,
    "allowedTools" TEXT COLLATE "C",
    "requires" TEXT COLLATE "C" NOT NULL,
    "meta" TEXT COLLATE "C" NOT NULL,
    "argsSchema" TEXT COLLATE "C",
    "source" TEXT COLLATE "C" NOT NULL,
    "sourceId" TEXT COLLATE "C",
    "sourceVersion" TEXT COLLATE "C",
    "visibility" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "pinned" BOOLEAN NOT NULL,
    "listed" BOOLEAN NOT NULL DEFAULT true,
    "lifecycle" TEXT COLLATE "C" NOT NULL DEFAULT 'active',
    "revivedAt" TIMESTAMP(3),
    "currentId" TEXT COLLATE "C",
    "pendingId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),
    "deletedAt" TIMESTAMP(3),
    "liveSlug" TEXT COLLATE "C",
    "deprecatedAt" TIMESTAMP(3),
    "deprecatedReason" TEXT COLLATE "C",
    "replacedById" TEXT COLLATE "C",

    CONSTRAINT "Skill_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Adoption" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Adoption_pkey" PRIMARY KEY ("userId","skillId")
);

-- CreateTable
CREATE TABLE "Integration" (
    "id" TEXT COLLATE "C" NOT NULL,
    "domain" TEXT COLLATE "C" NOT NULL,
    "ownerKey" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "version" TEXT COLLATE "C",
    "problems" TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdByName" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Integration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Version" (
    "id" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "manifest" TEXT COLLATE "C" NOT NULL,
    "diagnostics" TEXT COLLATE "C" NOT NULL,
    "provenance" TEXT COLLATE "C" NOT NULL,
    "declaredClass" TEXT COLLATE "C",
    "class" TEXT COLLATE "C",
    "grants" TEXT COLLATE "C",
    "entry" TEXT COLLATE "C",
    "subject" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdByName" TEXT COLLATE "C" NOT NULL,
    "submittedAt" TIMESTAMP(3),
    "submittedById" TEXT COLLATE "C",
    "submittedByName" TEXT COLLATE "C",
    "decidedAt" TIMESTAMP(3),
    "changelog" TEXT COLLATE "C",

    CONSTRAINT "Version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Publisher" (
    "id" TEXT COLLATE "C" NOT NULL,
    "handle" TEXT COLLATE "C" NOT NULL,
    "displayName" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "bio" TEXT COLLATE "C",
    "homepage" TEXT COLLATE "C",
    "verifiedAt" TIMESTAMP(3),
    "verifiedById" TEXT COLLATE "C",
    "handleChangedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Publisher_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FormerHandle" (
    "handle" TEXT COLLATE "C" NOT NULL,
    "publisherId" TEXT COLLATE "C" NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "FormerHandle_pkey" PRIMARY KEY ("handle")
);

-- CreateTable
CREATE TABLE "Collection" (
    "id" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "ownerId" TEXT COLLATE "C" NOT NULL,
    "visibility" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Collection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CollectionSkill" (
    "collectionId" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "CollectionSkill_pkey" PRIMARY KEY ("collectionId","skillId")
);

-- CreateTable
CREATE TABLE "Star" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Star_pkey" PRIMARY KEY ("userId","skillId")
);

-- CreateTable
CREATE TABLE "Report" (
    "id" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "skillName" TEXT COLLATE "C" NOT NULL,
    "versionDigest" TEXT COLLATE "C",
    "reporterId" TEXT COLLATE "C",
    "reporterName" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "resolution" TEXT COLLATE "C",
    "resolutionNote" TEXT COLLATE "C",
    "closedAt" TIMESTAMP(3),
    "closedById" TEXT COLLATE "C",
    "closedByName" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Report_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CapabilityUrl" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "personaId" TEXT COLLATE "C",
    "scopeKind" TEXT COLLATE "C" NOT NULL,
    "scopeId" TEXT COLLATE "C",
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "prefix" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "CapabilityUrl_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DoorPackage" (
    "versionId" TEXT COLLATE "C" NOT NULL,
    "format" INTEGER NOT NULL,
    "form" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "files" TEXT COLLATE "C" NOT NULL,
    "zipSha256" TEXT COLLATE "C" NOT NULL,
    "zipSize" INTEGER NOT NULL,
    "problem" TEXT COLLATE "C",

    CONSTRAINT "DoorPackage_pkey" PRIMARY KEY ("versionId")
);

-- CreateTable
CREATE TABLE "InstallCount" (
    "skillId" TEXT COLLATE "C" NOT NULL,
    "versionDigest" TEXT COLLATE "C" NOT NULL,
    "door" TEXT COLLATE "C" NOT NULL,
    "day" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "InstallCount_pkey" PRIMARY KEY ("skillId","versionDigest","door","day")
);

-- CreateTable
CREATE TABLE "DoorSighting" (
    "door" TEXT COLLATE "C" NOT NULL,
    "client" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "userAgent" TEXT COLLATE "C",

    CONSTRAINT "DoorSighting_pkey" PRIMARY KEY ("door","client","userId")
);

-- CreateTable
CREATE TABLE "VersionFile" (
    "versionId" TEXT COLLATE "C" NOT NULL,
    "path" TEXT COLLATE "C" NOT NULL,
    "mode" TEXT COLLATE "C" NOT NULL,
    "sha256" TEXT COLLATE "C" NOT NULL,
    "size" INTEGER NOT NULL,
    "isText" BOOLEAN NOT NULL,

    CONSTRAINT "VersionFile_pkey" PRIMARY KEY ("versionId","path")
);

-- CreateTable
CREATE TABLE "Decision" (
    "id" TEXT COLLATE "C" NOT NULL,
    "versionId" TEXT COLLATE "C" NOT NULL,
    "decision" TEXT COLLATE "C" NOT NULL,
    "comment" TEXT COLLATE "C" NOT NULL,
    "class" TEXT COLLATE "C",
    "grants" TEXT COLLATE "C",
    "entry" TEXT COLLATE "C",
    "subject" TEXT COLLATE "C",
    "actorId" TEXT COLLATE "C" NOT NULL,
    "actorName" TEXT COLLATE "C" NOT NULL,
    "soloMode" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "standing" TEXT COLLATE "C",
    "subjectJson" TEXT COLLATE "C",
    "statement" TEXT COLLATE "C",
    "signature" TEXT COLLATE "C",
    "keyId" TEXT COLLATE "C",
    "tier" TEXT COLLATE "C",

    CONSTRAINT "Decision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReviewKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ReviewKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "VersionScan" (
    "versionId" TEXT COLLATE "C" NOT NULL,
    "rulesVersion" TEXT COLLATE "C" NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "capabilities" TEXT COLLATE "C" NOT NULL,
    "scannedAt" TIMESTAMP(3) NOT NULL,
    "durationMs" INTEGER NOT NULL,

    CONSTRAINT "VersionScan_pkey" PRIMARY KEY ("versionId")
);

-- CreateTable
CREATE TABLE "Finding" (
    "versionId" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "rule" TEXT COLLATE "C" NOT NULL,
    "ruleVersion" INTEGER NOT NULL,
    "severity" TEXT COLLATE "C" NOT NULL,
    "raisedBy" TEXT COLLATE "C",
    "path" TEXT COLLATE "C" NOT NULL,
    "line" INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    "endLine" INTEGER,
    "text" TEXT COLLATE "C" NOT NULL,
    "why" TEXT COLLATE "C" NOT NULL,
    "view" TEXT COLLATE "C" NOT NULL,
    "more" INTEGER NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Finding_pkey" PRIMARY KEY ("versionId","fingerprint")
);

-- CreateTable
CREATE TABLE "FindingDismissal" (
    "versionId" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "byId" TEXT COLLATE "C" NOT NULL,
    "byName" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "FindingDismissal_pkey" PRIMARY KEY ("versionId","fingerprint")
);

-- CreateTable
CREATE TABLE "Worker" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C" NOT NULL,
    "manager" BOOLEAN NOT NULL,
    "version" TEXT COLLATE "C",
    "platform" TEXT COLLATE "C",
    "isolation" TEXT COLLATE "C",
    "isolationFacts" TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    "slots" INTEGER NOT NULL,
    "inventory" TEXT COLLATE "C" NOT NULL,
    "offers" TEXT COLLATE "C" NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT COLLATE "C",
    "lastSeenAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),
    "inventoryAt" TIMESTAMP(3),
    "rescanAt" TIMESTAMP(3),
    "load" DOUBLE PRECISION,

    CONSTRAINT "Worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WorkerSkill" (
    "workerId" TEXT COLLATE "C" NOT NULL,
    "path" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "versionId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "WorkerSkill_pkey" PRIMARY KEY ("workerId","path")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "versionId" TEXT COLLATE "C" NOT NULL,
    "versionDigest" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "class" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "args" TEXT COLLATE "C" NOT NULL,
    "argsDigest" TEXT COLLATE "C" NOT NULL,
    "limits" TEXT COLLATE "C" NOT NULL,
    "env" TEXT COLLATE "C" NOT NULL,
    "result" TEXT COLLATE "C",
    "rawOutput" TEXT COLLATE "C",
    "errorCode" TEXT COLLATE "C",
    "errorMessage" TEXT COLLATE "C",
    "exitCode" INTEGER,
    "signal" TEXT COLLATE "C",
    "timedOut" BOOLEAN NOT NULL DEFAULT false,
    "truncated" BOOLEAN NOT NULL DEFAULT false,
    "isolation" TEXT COLLATE "C",
    "targetWorker" TEXT COLLATE "C",
    "workerId" TEXT COLLATE "C",
    "fence" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" TIMESTAMP(3),
    "cancelReason" TEXT COLLATE "C",
    "callerId" TEXT COLLATE "C" NOT NULL,
    "callerName" TEXT COLLATE "C" NOT NULL,
    "callerKind" TEXT COLLATE "C" NOT NULL,
    "tokenId" TEXT COLLATE "C",
    "tokenName" TEXT COLLATE "C",
    "personaId" TEXT COLLATE "C",
    "personaName" TEXT COLLATE "C",
    "sessionId" TEXT COLLATE "C",
    "requestId" TEXT COLLATE "C",
    "traceParent" TEXT COLLATE "C",
    "gateRule" TEXT COLLATE "C",
    "gateReason" TEXT COLLATE "C",
    "signatures" INTEGER,
    "sopId" TEXT COLLATE "C",
    "parkedAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3),
    "queuedAt" TIMESTAMP(3) NOT NULL,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),
    "durationMs" DOUBLE PRECISION,
    "sandboxMs" DOUBLE PRECISION,
    "warm" BOOLEAN,
    "cpuMs" DOUBLE PRECISION,
    "peakMemoryBytes" DOUBLE PRECISION,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "retryOfId" TEXT COLLATE "C",
    "parentRunId" TEXT COLLATE "C",
    "stepIndex" INTEGER,
    "stepKey" TEXT COLLATE "C",
    "groupId" TEXT COLLATE "C",
    "scheduleId" TEXT COLLATE "C",
    "rating" INTEGER NOT NULL DEFAULT 0,
    "ratedById" TEXT COLLATE "C",
    "surface" TEXT COLLATE "C" NOT NULL DEFAULT 'http',

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RunEvent" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "stream" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "RunEvent_pkey" PRIMARY KEY ("runId","seq")
);

-- CreateTable
CREATE TABLE "RunDecision" (
    "id" TEXT COLLATE "C" NOT NULL,
    "runId" TEXT COLLATE "C" NOT NULL,
    "actorId" TEXT COLLATE "C" NOT NULL,
    "actorName" TEXT COLLATE "C" NOT NULL,
    "decision" TEXT COLLATE "C" NOT NULL,
    "comment" TEXT COLLATE "C" NOT NULL,
    "soloMode" BOOLEAN,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RunDecision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AgentSession" (
    "id" TEXT COLLATE "C" NOT NULL,
    "implicitKey" TEXT COLLATE "C",
    "tokenId" TEXT COLLATE "C",
    "userId" TEXT COLLATE "C" NOT NULL,
    "personaId" TEXT COLLATE "C",
    "client" TEXT COLLATE "C" NOT NULL,
    "surface" TEXT COLLATE "C" NOT NULL DEFAULT 'http',
    "capabilities" TEXT COLLATE "C",
    "startedAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "activeSkillId" TEXT COLLATE "C",
    "activeVersionDigest" TEXT COLLATE "C",
    "activeTools" TEXT COLLATE "C",

    CONSTRAINT "AgentSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AgentStep" (
    "id" TEXT COLLATE "C" NOT NULL,
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C",
    "versionDigest" TEXT COLLATE "C",
    "tool" TEXT COLLATE "C",
    "outcome" TEXT COLLATE "C" NOT NULL,
    "detail" TEXT COLLATE "C" NOT NULL,
    "runId" TEXT COLLATE "C",
    "durationMs" INTEGER,
    "surface" TEXT COLLATE "C" NOT NULL DEFAULT 'http',
    "input" TEXT COLLATE "C",
    "output" TEXT COLLATE "C",
    "rating" INTEGER NOT NULL DEFAULT 0,
    "ratedById" TEXT COLLATE "C",

    CONSTRAINT "AgentStep_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SopKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "SopKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Sop" (
    "id" TEXT COLLATE "C" NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "algorithm" TEXT COLLATE "C" NOT NULL,
    "signature" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "deletedAt" TIMESTAMP(3),

    CONSTRAINT "Sop_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Schedule" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "args" TEXT COLLATE "C" NOT NULL,
    "cron" TEXT COLLATE "C" NOT NULL,
    "timeZone" TEXT COLLATE "C" NOT NULL,
    "overlap" TEXT COLLATE "C" NOT NULL,
    "catchUp" BOOLEAN NOT NULL,
    "workerId" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "ownerId" TEXT COLLATE "C" NOT NULL,
    "ownerName" TEXT COLLATE "C" NOT NULL,
    "tokenId" TEXT COLLATE "C",
    "tokenName" TEXT COLLATE "C",
    "personaId" TEXT COLLATE "C",
    "confirmedSubject" TEXT COLLATE "C",
    "confirmedAt" TIMESTAMP(3),
    "stopReason" TEXT COLLATE "C",
    "nextAt" TIMESTAMP(3),
    "heldAt" TIMESTAMP(3),
    "lastAt" TIMESTAMP(3),
    "lastRunId" TEXT COLLATE "C",
    "lastOutcome" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Schedule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ScheduleFiring" (
    "scheduleId" TEXT COLLATE "C" NOT NULL,
    "dueAt" TIMESTAMP(3) NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "runId" TEXT COLLATE "C",

    CONSTRAINT "ScheduleFiring_pkey" PRIMARY KEY ("scheduleId","dueAt")
);

-- CreateTable
CREATE TABLE "LeaderLease" (
    "name" TEXT COLLATE "C" NOT NULL,
    "holder" TEXT COLLATE "C" NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LeaderLease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "JobState" (
    "name" TEXT COLLATE "C" NOT NULL,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),
    "durationMs" INTEGER,
    "outcome" TEXT COLLATE "C",
    "summary" TEXT COLLATE "C",
    "nextAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "JobState_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "IdempotentAnswer" (
    "actorKey" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "requestHash" TEXT COLLATE "C" NOT NULL,
    "status" INTEGER,
    "body" TEXT COLLATE "C",
    "runId" TEXT COLLATE "C",
    "processId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "IdempotentAnswer_pkey" PRIMARY KEY ("actorKey","key")
);

-- CreateTable
CREATE TABLE "Process" (
    "id" TEXT COLLATE "C" NOT NULL,
    "instance" TEXT COLLATE "C" NOT NULL,
    "host" TEXT COLLATE "C" NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT COLLATE "C" NOT NULL,
    "address" TEXT COLLATE "C" NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Process_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CatalogSource" (
    "id" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    "repoUrl" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "repo" TEXT COLLATE "C" NOT NULL,
    "ref" TEXT COLLATE "C",
    "folder" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL,
    "intervalMinutes" INTEGER NOT NULL DEFAULT 360,
    "repositoryId" TEXT COLLATE "C",
    "pendingRepository" TEXT COLLATE "C",
    "isPrivate" BOOLEAN NOT NULL DEFAULT false,
    "defaultBranch" TEXT COLLATE "C",
    "identityCheckedAt" TIMESTAMP(3),
    "state" TEXT COLLATE "C" NOT NULL DEFAULT 'idle',
    "jobId" TEXT COLLATE "C",
    "queuedAt" TIMESTAMP(3),
    "startedAt" TIMESTAMP(3),
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "rawReads" INTEGER NOT NULL DEFAULT 0,
    "rateLimit" INTEGER,
    "rateLimitLeft" INTEGER,
    "rateLimitResetAt" TIMESTAMP(3),
    "commit" TEXT COLLATE "C",
    "treeSha" TEXT COLLATE "C",
    "commitEtag" TEXT COLLATE "C",
    "treeEtag" TEXT COLLATE "C",
    "indexVersion" INTEGER NOT NULL DEFAULT 0,
    "syncedAt" TIMESTAMP(3),
    "nextSyncAt" TIMESTAMP(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT COLLATE "C",
    "errorCode" TEXT COLLATE "C",
    "skipped" TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT COLLATE "C",

    CONSTRAINT "CatalogSource_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CatalogEntry" (
    "id" TEXT COLLATE "C" NOT NULL,
    "sourceId" TEXT COLLATE "C" NOT NULL,
    "folder" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "whenToUse" TEXT COLLATE "C",
    "allowedTools" TEXT COLLATE "C",
    "toolNames" TEXT COLLATE "C" NOT NULL,
    "license" TEXT COLLATE "C",
    "tags" TEXT COLLATE "C" NOT NULL,
    "category" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "classGuess" TEXT COLLATE "C" NOT NULL,
    "hasScripts" BOOLEAN NOT NULL,
    "filesCount" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "files" TEXT COLLATE "C" NOT NULL,
    "commit" TEXT COLLATE "C" NOT NULL,
    "treeSha" TEXT COLLATE "C" NOT NULL,
    "contentKey" TEXT COLLATE "C" NOT NULL,
    "markerSha" TEXT COLLATE "C" NOT NULL,
    "manifest" TEXT COLLATE "C" NOT NULL,
    "diagnostics" TEXT COLLATE "C" NOT NULL,
    "operatorIndex" TEXT COLLATE "C",
    "blockedCode" TEXT COLLATE "C",
    "blockedReason" TEXT COLLATE "C",
    "state" TEXT COLLATE "C" NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,
    "removedAt" TIMESTAMP(3),

    CONSTRAINT "CatalogEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CatalogPack" (
    "id" TEXT COLLATE "C" NOT NULL,
    "sourceId" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "version" TEXT COLLATE "C",
    "category" TEXT COLLATE "C",
    "members" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "CatalogPack_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CatalogBlob" (
    "gitSha" TEXT COLLATE "C" NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "CatalogBlob_pkey" PRIMARY KEY ("gitSha")
);

-- CreateTable
CREATE TABLE "CatalogInstall" (
    "skillId" TEXT COLLATE "C" NOT NULL,
    "sourceId" TEXT COLLATE "C",
    "entryId" TEXT COLLATE "C",
    "folder" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "repo" TEXT COLLATE "C" NOT NULL,
    "ref" TEXT COLLATE "C" NOT NULL,
    "commit" TEXT COLLATE "C" NOT NULL,
    "treeSha" TEXT COLLATE "C" NOT NULL,
    "contentKey" TEXT COLLATE "C" NOT NULL,
    "blobs" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "packId" TEXT COLLATE "C",
    "state" TEXT COLLATE "C" NOT NULL,
    "installedBy" TEXT COLLATE "C" NOT NULL,
    "installedAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "CatalogInstall_pkey" PRIMARY KEY ("skillId")
);

-- CreateTable
CREATE TABLE "Secret" (
    "key" TEXT COLLATE "C" NOT NULL,
    "sealed" BYTEA NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "updatedBy" TEXT COLLATE "C",

    CONSTRAINT "Secret_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Credential" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "updatedBy" TEXT COLLATE "C" NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "seq" SERIAL NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "actorKind" TEXT COLLATE "C" NOT NULL,
    "actorId" TEXT COLLATE "C",
    "actorName" TEXT COLLATE "C" NOT NULL,
    "actorRole" TEXT COLLATE "C",
    "concernsId" TEXT COLLATE "C",
    "action" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 1,
    "targetKind" TEXT COLLATE "C",
    "targetId" TEXT COLLATE "C",
    "targetName" TEXT COLLATE "C",
    "skillId" TEXT COLLATE "C",
    "versionDigest" TEXT COLLATE "C",
    "runId" TEXT COLLATE "C",
    "tool" TEXT COLLATE "C",
    "class" TEXT COLLATE "C",
    "sessionId" TEXT COLLATE "C",
    "device" TEXT COLLATE "C",
    "address" TEXT COLLATE "C",
    "requestId" TEXT COLLATE "C",
    "summary" TEXT COLLATE "C" NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,
    "callerKind" TEXT COLLATE "C",
    "onBehalfOfId" TEXT COLLATE "C",
    "onBehalfOfName" TEXT COLLATE "C",
    "arguments" TEXT COLLATE "C",
    "result" TEXT COLLATE "C",
    "error" TEXT COLLATE "C",
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),
    "durationMs" DOUBLE PRECISION,
    "decision" TEXT COLLATE "C",
    "rule" TEXT COLLATE "C",
    "approvers" TEXT COLLATE "C",
    "traceId" TEXT COLLATE "C",
    "prevHash" TEXT COLLATE "C",
    "hash" TEXT COLLATE "C",

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "AuditTerm" (
    "id" SERIAL NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditTerm_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditPosting" (
    "termId" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "AuditPosting_pkey" PRIMARY KEY ("termId","seq")
);

-- CreateTable
CREATE TABLE "AuditHour" (
    "termId" INTEGER NOT NULL,
    "hour" TEXT COLLATE "C" NOT NULL,
    "events" INTEGER NOT NULL,
    "bad" INTEGER NOT NULL,
    "minSeq" INTEGER NOT NULL,
    "maxSeq" INTEGER NOT NULL,

    CONSTRAINT "AuditHour_pkey" PRIMARY KEY ("termId","hour")
);

-- CreateTable
CREATE TABLE "AuditIndexed" (
    "id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "AuditIndexed_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SavedView" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "page" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "query" TEXT COLLATE "C" NOT NULL,
    "isDefault" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SavedView_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditSegment" (
    "fromSeq" INTEGER NOT NULL,
    "toSeq" INTEGER NOT NULL,
    "prevHash" TEXT COLLATE "C" NOT NULL,
    "lastHash" TEXT COLLATE "C" NOT NULL,
    "sealedAt" TIMESTAMP(3) NOT NULL,
    "manifest" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditSegment_pkey" PRIMARY KEY ("fromSeq")
);

-- CreateTable
CREATE TABLE "AuditForward" (
    "sink" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "sentAt" TIMESTAMP(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextTryAt" TIMESTAMP(3),
    "lastError" TEXT COLLATE "C",

    CONSTRAINT "AuditForward_pkey" PRIMARY KEY ("sink")
);

-- CreateTable
CREATE TABLE "Overlay" (
    "id" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "baseDigest" TEXT COLLATE "C" NOT NULL,
    "optimizer" TEXT COLLATE "C" NOT NULL,
    "optimizedAt" TIMESTAMP(3) NOT NULL,
    "traceCount" INTEGER NOT NULL,
    "description" TEXT COLLATE "C",
    "fewShot" TEXT COLLATE "C" NOT NULL,
    "before" TEXT COLLATE "C" NOT NULL,
    "evidence" TEXT COLLATE "C" NOT NULL,
    "toml" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "error" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdById" TEXT COLLATE "C",
    "createdByName" TEXT COLLATE "C" NOT NULL,
    "decidedAt" TIMESTAMP(3),
    "decidedById" TEXT COLLATE "C",
    "decidedByName" TEXT COLLATE "C",
    "comment" TEXT COLLATE "C",

    CONSTRAINT "Overlay_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DeviceLogin" (
    "id" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C" NOT NULL,
    "userCode" TEXT COLLATE "C" NOT NULL,
    "clientName" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "address" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "lastPolledAt" TIMESTAMP(3),
    "userId" TEXT COLLATE "C",
    "decidedAt" TIMESTAMP(3),
    "approved" BOOLEAN,
    "takenAt" TIMESTAMP(3),

    CONSTRAINT "DeviceLogin_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UploadTicket" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C" NOT NULL,
    "path" TEXT COLLATE "C" NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" TEXT COLLATE "C" NOT NULL,
    "bytes" BYTEA,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UploadTicket_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OAuthClient" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "redirectUris" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "consentedAt" TIMESTAMP(3),

    CONSTRAINT "OAuthClient_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OAuthCode" (
    "id" TEXT COLLATE "C" NOT NULL,
    "codeHash" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "personaId" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "redirectUri" TEXT COLLATE "C" NOT NULL,
    "codeChallenge" TEXT COLLATE "C" NOT NULL,
    "tokenExpiry" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    "tokenId" TEXT COLLATE "C",

    CONSTRAINT "OAuthCode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ModelEndpoint" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "baseUrl" TEXT COLLATE "C" NOT NULL,
    "models" TEXT COLLATE "C" NOT NULL,
    "credentialName" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "updatedBy" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ModelEndpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Conversation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "endpointId" TEXT COLLATE "C" NOT NULL,
    "endpointName" TEXT COLLATE "C" NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "personaId" TEXT COLLATE "C" NOT NULL,
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "skills" TEXT COLLATE "C" NOT NULL,
    "limits" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Conversation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConversationTurn" (
    "id" TEXT COLLATE "C" NOT NULL,
    "conversationId" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "prompt" TEXT COLLATE "C" NOT NULL,
    "answer" TEXT COLLATE "C" NOT NULL,
    "events" TEXT COLLATE "C" NOT NULL,
    "messages" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "endReason" TEXT COLLATE "C",
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "at" TIMESTAMP(3) NOT NULL,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "ConversationTurn_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EvalRun" (
    "id" TEXT COLLATE "C" NOT NULL,
    "skillId" TEXT COLLATE "C" NOT NULL,
    "versionDigest" TEXT COLLATE "C" NOT NULL,
    "versionNumber" INTEGER NOT NULL,
    "endpointName" TEXT COLLATE "C" NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "limits" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "error" TEXT COLLATE "C",
    "cases" INTEGER NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdByName" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "EvalRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EvalResult" (
    "evalRunId" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "withSkill" BOOLEAN NOT NULL,
    "caseId" TEXT COLLATE "C" NOT NULL,
    "prompt" TEXT COLLATE "C" NOT NULL,
    "expected" TEXT COLLATE "C",
    "answer" TEXT COLLATE "C" NOT NULL,
    "checks" TEXT COLLATE "C" NOT NULL,
    "passed" BOOLEAN NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "problem" TEXT COLLATE "C",
    "steps" INTEGER NOT NULL,
    "tokens" INTEGER NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "sessionId" TEXT COLLATE "C",

    CONSTRAINT "EvalResult_pkey" PRIMARY KEY ("evalRunId","seq","withSkill")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "ConnectedSignIn_userId_idx" ON "ConnectedSignIn"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "ConnectedSignIn_issuer_subject_key" ON "ConnectedSignIn"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_secretHash_key" ON "ApiToken"("secretHash");

-- CreateIndex
CREATE INDEX "ApiToken_userId_idx" ON "ApiToken"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "OneTimeToken_secretHash_key" ON "OneTimeToken"("secretHash");

-- CreateIndex
CREATE INDEX "OneTimeToken_userId_idx" ON "OneTimeToken"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Persona_name_key" ON "Persona"("name");

-- CreateIndex
CREATE INDEX "Skill_deletedAt_updatedAt_idx" ON "Skill"("deletedAt", "updatedAt");

-- CreateIndex
CREATE INDEX "Skill_liveSlug_idx" ON "Skill"("liveSlug");

-- CreateIndex
CREATE INDEX "Skill_enabled_deletedAt_idx" ON "Skill"("enabled", "deletedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Skill_ownerKey_liveSlug_key" ON "Skill"("ownerKey", "liveSlug");

-- CreateIndex
CREATE INDEX "Adoption_skillId_idx" ON "Adoption"("skillId");

-- CreateIndex
CREATE UNIQUE INDEX "Integration_ownerKey_key" ON "Integration"("ownerKey");

-- CreateIndex
CREATE INDEX "Integration_domain_idx" ON "Integration"("domain");

-- CreateIndex
CREATE INDEX "Version_state_submittedAt_idx" ON "Version"("state", "submittedAt");

-- CreateIndex
CREATE INDEX "Version_state_decidedAt_id_idx" ON "Version"("state", "decidedAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Version_skillId_digest_key" ON "Version"("skillId", "digest");

-- CreateIndex
CREATE UNIQUE INDEX "Version_skillId_number_key" ON "Version"("skillId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Publisher_handle_key" ON "Publisher"("handle");

-- CreateIndex
CREATE UNIQUE INDEX "Publisher_userId_key" ON "Publisher"("userId");

-- CreateIndex
CREATE INDEX "FormerHandle_publisherId_idx" ON "FormerHandle"("publisherId");

-- CreateIndex
CREATE UNIQUE INDEX "Collection_slug_key" ON "Collection"("slug");

-- CreateIndex
CREATE INDEX "Collection_ownerId_idx" ON "Collection"("ownerId");

-- CreateIndex
CREATE INDEX "CollectionSkill_skillId_idx" ON "CollectionSkill"("skillId");

-- CreateIndex
CREATE INDEX "Star_skillId_idx" ON "Star"("skillId");

-- CreateIndex
CREATE INDEX "Report_state_id_idx" ON "Report"("state", "id");

-- CreateIndex
CREATE INDEX "Report_skillId_state_idx" ON "Report"("skillId", "state");

-- CreateIndex
CREATE UNIQUE INDEX "CapabilityUrl_tokenHash_key" ON "CapabilityUrl"("tokenHash");

-- CreateIndex
CREATE INDEX "CapabilityUrl_userId_idx" ON "CapabilityUrl"("userId");

-- CreateIndex
CREATE INDEX "DoorPackage_format_idx" ON "DoorPackage"("format");

-- CreateIndex
CREATE INDEX "InstallCount_skillId_idx" ON "InstallCount"("skillId");

-- CreateIndex
CREATE INDEX "VersionFile_sha256_idx" ON "VersionFile"("sha256");

-- CreateIndex
CREATE INDEX "Decision_versionId_createdAt_idx" ON "Decision"("versionId", "createdAt");

-- CreateIndex
CREATE INDEX "VersionScan_rulesVersion_idx" ON "VersionScan"("rulesVersion");

-- CreateIndex
CREATE INDEX "Finding_fingerprint_idx" ON "Finding"("fingerprint");

-- CreateIndex
CREATE INDEX "FindingDismissal_fingerprint_idx" ON "FindingDismissal"("fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "Worker_name_key" ON "Worker"("name");

-- CreateIndex
CREATE UNIQUE INDEX "Worker_secretHash_key" ON "Worker"("secretHash");

-- CreateIndex
CREATE INDEX "WorkerSkill_skillId_idx" ON "WorkerSkill"("skillId");

-- CreateIndex
CREATE INDEX "Run_state_queuedAt_idx" ON "Run"("state", "queuedAt");

-- CreateIndex
CREATE INDEX "Run_skillId_id_idx" ON "Run"("skillId", "id");

-- CreateIndex
CREATE INDEX "Run_callerId_id_idx" ON "Run"("callerId", "id");

-- CreateIndex
CREATE INDEX "Run_leaseUntil_idx" ON "Run"("leaseUntil");

-- CreateIndex
CREATE INDEX "Run_state_expiresAt_idx" ON "Run"("state", "expiresAt");

-- CreateIndex
CREATE INDEX "Run_groupId_idx" ON "Run"("groupId");

-- CreateIndex
CREATE INDEX "Run_scheduleId_id_idx" ON "Run"("scheduleId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Run_parentRunId_stepIndex_key" ON "Run"("parentRunId", "stepIndex");

-- CreateIndex
CREATE UNIQUE INDEX "RunDecision_runId_actorId_key" ON "RunDecision"("runId", "actorId");

-- CreateIndex
CREATE UNIQUE INDEX "AgentSession_implicitKey_key" ON "AgentSession"("implicitKey");

-- CreateIndex
CREATE INDEX "AgentSession_userId_id_idx" ON "AgentSession"("userId", "id");

-- CreateIndex
CREATE INDEX "AgentSession_tokenId_lastSeenAt_idx" ON "AgentSession"("tokenId", "lastSeenAt");

-- CreateIndex
CREATE INDEX "AgentSession_lastSeenAt_idx" ON "AgentSession"("lastSeenAt");

-- CreateIndex
CREATE INDEX "AgentStep_sessionId_id_idx" ON "AgentStep"("sessionId", "id");

-- CreateIndex
CREATE INDEX "AgentStep_skillId_id_idx" ON "AgentStep"("skillId", "id");

-- CreateIndex
CREATE INDEX "Schedule_enabled_nextAt_idx" ON "Schedule"("enabled", "nextAt");

-- CreateIndex
CREATE INDEX "Schedule_ownerId_id_idx" ON "Schedule"("ownerId", "id");

-- CreateIndex
CREATE INDEX "Schedule_heldAt_idx" ON "Schedule"("heldAt");

-- CreateIndex
CREATE UNIQUE INDEX "Process_instance_key" ON "Process"("instance");

-- CreateIndex
CREATE INDEX "CatalogSource_state_queuedAt_idx" ON "CatalogSource"("state", "queuedAt");

-- CreateIndex
CREATE INDEX "CatalogSource_nextSyncAt_idx" ON "CatalogSource"("nextSyncAt");

-- CreateIndex
CREATE INDEX "CatalogEntry_state_slug_idx" ON "CatalogEntry"("state", "slug");

-- CreateIndex
CREATE INDEX "CatalogEntry_state_changedAt_idx" ON "CatalogEntry"("state", "changedAt");

-- CreateIndex
CREATE INDEX "CatalogEntry_contentKey_idx" ON "CatalogEntry"("contentKey");

-- CreateIndex
CREATE UNIQUE INDEX "CatalogEntry_sourceId_folder_key" ON "CatalogEntry"("sourceId", "folder");

-- CreateIndex
CREATE UNIQUE INDEX "CatalogPack_sourceId_key_key" ON "CatalogPack"("sourceId", "key");

-- CreateIndex
CREATE INDEX "CatalogInstall_sourceId_folder_idx" ON "CatalogInstall"("sourceId", "folder");

-- CreateIndex
CREATE INDEX "CatalogInstall_entryId_idx" ON "CatalogInstall"("entryId");

-- CreateIndex
CREATE UNIQUE INDEX "Credential_name_key" ON "Credential"("name");

-- CreateIndex
CREATE INDEX "AuditEvent_runId_seq_idx" ON "AuditEvent"("runId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_at_idx" ON "AuditEvent"("at");

-- CreateIndex
CREATE UNIQUE INDEX "AuditTerm_kind_value_key" ON "AuditTerm"("kind", "value");

-- CreateIndex
CREATE UNIQUE INDEX "SavedView_userId_page_name_key" ON "SavedView"("userId", "page", "name");

-- CreateIndex
CREATE UNIQUE INDEX "AuditSegment_toSeq_key" ON "AuditSegment"("toSeq");

-- CreateIndex
CREATE INDEX "Overlay_skillId_state_idx" ON "Overlay"("skillId", "state");

-- CreateIndex
CREATE INDEX "Overlay_state_id_idx" ON "Overlay"("state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceLogin_secretHash_key" ON "DeviceLogin"("secretHash");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceLogin_userCode_key" ON "DeviceLogin"("userCode");

-- CreateIndex
CREATE INDEX "DeviceLogin_expiresAt_idx" ON "DeviceLogin"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "UploadTicket_secretHash_key" ON "UploadTicket"("secretHash");

-- CreateIndex
CREATE INDEX "UploadTicket_userId_idx" ON "UploadTicket"("userId");

-- CreateIndex
CREATE INDEX "UploadTicket_expiresAt_idx" ON "UploadTicket"("expiresAt");

-- CreateIndex
CREATE INDEX "OAuthClient_expiresAt_idx" ON "OAuthClient"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "OAuthCode_codeHash_key" ON "OAuthCode"("codeHash");

-- CreateIndex
CREATE INDEX "OAuthCode_expiresAt_idx" ON "OAuthCode"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "ModelEndpoint_name_key" ON "ModelEndpoint"("name");

-- CreateIndex
CREATE INDEX "Conversation_userId_updatedAt_idx" ON "Conversation"("userId", "updatedAt");

-- CreateIndex
CREATE INDEX "Conversation_updatedAt_idx" ON "Conversation"("updatedAt");

-- CreateIndex
CREATE UNIQUE INDEX "ConversationTurn_conversationId_seq_key" ON "ConversationTurn"("conversationId", "seq");

-- CreateIndex
CREATE INDEX "EvalRun_skillId_id_idx" ON "EvalRun"("skillId", "id");

-- CreateIndex
CREATE INDEX "EvalRun_state_updatedAt_idx" ON "EvalRun"("state", "updatedAt");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectedSignIn" ADD CONSTRAINT "ConnectedSignIn_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_personaId_fkey" FOREIGN KEY ("personaId") REFERENCES "Persona"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Skill" ADD CONSTRAINT "Skill_currentId_fkey" FOREIGN KEY ("currentId") REFERENCES "Version"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Skill" ADD CONSTRAINT "Skill_pendingId_fkey" FOREIGN KEY ("pendingId") REFERENCES "Version"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Adoption" ADD CONSTRAINT "Adoption_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Version" ADD CONSTRAINT "Version_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CollectionSkill" ADD CONSTRAINT "CollectionSkill_collectionId_fkey" FOREIGN KEY ("collectionId") REFERENCES "Collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "VersionFile" ADD CONSTRAINT "VersionFile_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Decision" ADD CONSTRAINT "Decision_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "VersionScan" ADD CONSTRAINT "VersionScan_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Finding" ADD CONSTRAINT "Finding_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FindingDismissal" ADD CONSTRAINT "FindingDismissal_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkerSkill" ADD CONSTRAINT "WorkerSkill_workerId_fkey" FOREIGN KEY ("workerId") REFERENCES "Worker"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkerSkill" ADD CONSTRAINT "WorkerSkill_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "Skill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_versionId_fkey" FOREIGN KEY ("versionId") REFERENCES "Version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_workerId_fkey" FOREIGN KEY ("workerId") REFERENCES "Worker"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunEvent" ADD CONSTRAINT "RunEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunDecision" ADD CONSTRAINT "RunDecision_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AgentStep" ADD CONSTRAINT "AgentStep_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "AgentSession"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ScheduleFiring" ADD CONSTRAINT "ScheduleFiring_scheduleId_fkey" FOREIGN KEY ("scheduleId") REFERENCES "Schedule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CatalogEntry" ADD CONSTRAINT "CatalogEntry_sourceId_fkey" FOREIGN KEY ("sourceId") REFERENCES "CatalogSource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CatalogPack" ADD CONSTRAINT "CatalogPack_sourceId_fkey" FOREIGN KEY ("sourceId") REFERENCES "CatalogSource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeviceLogin" ADD CONSTRAINT "DeviceLogin_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UploadTicket" ADD CONSTRAINT "UploadTicket_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConversationTurn" ADD CONSTRAINT "ConversationTurn_conversationId_fkey" FOREIGN KEY ("conversationId") REFERENCES "Conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EvalResult" ADD CONSTRAINT "EvalResult_evalRunId_fkey" FOREIGN KEY ("evalRunId") REFERENCES "EvalRun"("id") ON DELETE CASCADE ON UPDATE CASCADE;
