-- DropIndex
DROP INDEX "AuditEvent_actorId_seq_idx";

-- DropIndex
DROP INDEX "AuditEvent_concernsId_seq_idx";

-- DropIndex
DROP INDEX "AuditEvent_action_seq_idx";

-- DropIndex
DROP INDEX "AuditEvent_tool_seq_idx";

-- DropIndex
DROP INDEX "AuditEvent_skillId_seq_idx";

-- CreateTable
CREATE TABLE "AuditTerm" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditPosting" (
    "termId" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,

    PRIMARY KEY ("termId", "seq")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "AuditHour" (
    "termId" INTEGER NOT NULL,
    "hour" TEXT NOT NULL,
    "events" INTEGER NOT NULL,
    "bad" INTEGER NOT NULL,
    "minSeq" INTEGER NOT NULL,
    "maxSeq" INTEGER NOT NULL,

    PRIMARY KEY ("termId", "hour")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "AuditIndexed" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "seq" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "SavedView" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "isDefault" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "AuditTerm_kind_value_key" ON "AuditTerm"("kind", "value");

-- CreateIndex
CREATE UNIQUE INDEX "SavedView_userId_page_name_key" ON "SavedView"("userId", "page", "name");

-- Words of the sentence and of who acts, under the event's number. The texts themselves stay in AuditEvent.
CREATE VIRTUAL TABLE "AuditSearch" USING fts5(
  "actorName", "summary", content = '', contentless_delete = 1, tokenize = 'porter unicode61'
);
