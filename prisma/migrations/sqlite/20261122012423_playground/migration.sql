-- CreateTable
CREATE TABLE "Conversation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "endpointId" TEXT NOT NULL,
    "endpointName" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "personaId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "skills" TEXT NOT NULL,
    "limits" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ConversationTurn" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "conversationId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "prompt" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "events" TEXT NOT NULL,
    "messages" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "endReason" TEXT,
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "at" DATETIME NOT NULL,
    "finishedAt" DATETIME,
    CONSTRAINT "ConversationTurn_conversationId_fkey" FOREIGN KEY ("conversationId") REFERENCES "Conversation" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Conversation_userId_updatedAt_idx" ON "Conversation"("userId", "updatedAt");

-- CreateIndex
CREATE INDEX "Conversation_updatedAt_idx" ON "Conversation"("updatedAt");

-- CreateIndex
CREATE UNIQUE INDEX "ConversationTurn_conversationId_seq_key" ON "ConversationTurn"("conversationId", "seq");
