-- The acceptance is the message's own row; its first event said nothing else.
DELETE FROM "message_events" WHERE "kind" = 'queued';--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_id_organization_id_channel_id_unique" UNIQUE("id","organization_id","channel_id");--> statement-breakpoint
ALTER TABLE "message_events" DROP CONSTRAINT "message_events_organization_id_message_id_messages_organization_id_id_fk";--> statement-breakpoint
ALTER TABLE "message_attempts" DROP CONSTRAINT "message_attempts_organization_id_message_id_messages_organization_id_id_fk";--> statement-breakpoint
ALTER TABLE "message_events" DROP CONSTRAINT "message_events_source_unique";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_id_organization_id_unique";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_organization_id_conversation_id_conversations_organization_id_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_organization_id_channel_id_channels_organization_id_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_organization_id_key_id_api_keys_organization_id_id_fk";
--> statement-breakpoint
DROP INDEX "messages_due_index";--> statement-breakpoint
DROP INDEX "messages_claim_index";--> statement-breakpoint
DROP INDEX "messages_queue_index";--> statement-breakpoint
DROP INDEX "messages_doubt_index";--> statement-breakpoint
DROP INDEX "messages_expiry_index";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_pkey";--> statement-breakpoint
ALTER TABLE "message_events" DROP COLUMN "id";--> statement-breakpoint
ALTER TABLE "message_events" ADD CONSTRAINT "message_events_pk" PRIMARY KEY("message_id","kind","source_key");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_pk" PRIMARY KEY("id","organization_id");--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_queued" boolean GENERATED ALWAYS AS (state = 'queued') STORED;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_fk" FOREIGN KEY ("conversation_id","organization_id","channel_id") REFERENCES "public"."conversations"("id","organization_id","channel_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_due_index" ON "messages" USING btree ("channel_id","next_attempt_at","accept_seq") WHERE "messages"."is_queued" and "messages"."claim_token" is null and "messages"."in_doubt_since" is null;--> statement-breakpoint
CREATE INDEX "messages_claim_index" ON "messages" USING btree ("claimed_until") WHERE "messages"."is_queued" and "messages"."claim_token" is not null;--> statement-breakpoint
CREATE INDEX "messages_queue_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."is_queued";--> statement-breakpoint
CREATE INDEX "messages_doubt_index" ON "messages" USING btree ("in_doubt_since") WHERE "messages"."is_queued" and "messages"."in_doubt_since" is not null;--> statement-breakpoint
CREATE INDEX "messages_expiry_index" ON "messages" USING btree ("created_at") WHERE "messages"."is_queued";--> statement-breakpoint
ALTER TABLE "message_events" ADD CONSTRAINT "message_events_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;
