ALTER TABLE "message_events" ALTER COLUMN "created_at" SET DEFAULT clock_timestamp();--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "last_activity_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "last_message_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sender_number" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sender_user_id" text;--> statement-breakpoint
CREATE INDEX "conversations_activity_index" ON "conversations" USING btree ("channel_id","last_activity_seq","id");--> statement-breakpoint
CREATE INDEX "message_events_changes_index" ON "message_events" USING btree ("organization_id","created_at","message_id") WHERE "message_events"."sequence" is not null;--> statement-breakpoint
CREATE INDEX "messages_accepted_index" ON "messages" USING btree ("organization_id","created_at","id") WHERE "messages"."kind" <> 'note';--> statement-breakpoint
CREATE INDEX "messages_erasure_index" ON "messages" USING btree ("organization_id","erased_at","id") WHERE "messages"."erased_at" is not null;--> statement-breakpoint
UPDATE "conversations" v SET "last_activity_seq" = m.accept_seq, "last_message_at" = m.created_at
FROM (SELECT DISTINCT ON (conversation_id) conversation_id, accept_seq, created_at FROM "messages"
  WHERE kind <> 'note' ORDER BY conversation_id, accept_seq DESC) m
WHERE m.conversation_id = v.id;
