CREATE TABLE "read_marks" (
	"conversation_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"accept_seq" bigint NOT NULL,
	"typing_at" timestamp with time zone,
	"requested_at" timestamp with time zone NOT NULL,
	"is_pending" boolean NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claim_token" uuid,
	"claimed_until" timestamp with time zone,
	"failure" text,
	CONSTRAINT "read_marks_pk" PRIMARY KEY("conversation_id","organization_id")
);
--> statement-breakpoint
ALTER TABLE "message_events" ALTER COLUMN "created_at" SET DEFAULT clock_timestamp();--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "event_sequence" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "last_activity_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "last_message_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "demo_inbox" ADD COLUMN "contact_id" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sender_number" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sender_user_id" text;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "opt_out_words" text[];--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "opt_in_words" text[];--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "contact_id" uuid;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_conversation_fk" FOREIGN KEY ("conversation_id","organization_id","channel_id") REFERENCES "public"."conversations"("id","organization_id","channel_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_message_fk" FOREIGN KEY ("message_id","organization_id") REFERENCES "public"."messages"("id","organization_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "read_marks_due_index" ON "read_marks" USING btree ("channel_id","next_attempt_at") WHERE "read_marks"."is_pending";--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_contact_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_activity_index" ON "conversations" USING btree ("channel_id","last_activity_seq","id");--> statement-breakpoint
CREATE INDEX "message_events_changes_index" ON "message_events" USING btree ("organization_id","created_at","message_id") WHERE "message_events"."sequence" is not null;--> statement-breakpoint
CREATE INDEX "messages_reaction_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."is_queued" and "messages"."type" = 'reaction';--> statement-breakpoint
CREATE INDEX "messages_accepted_index" ON "messages" USING btree ("organization_id","created_at","id") WHERE "messages"."kind" <> 'note';--> statement-breakpoint
CREATE INDEX "messages_erasure_index" ON "messages" USING btree ("organization_id","erased_at","id") WHERE "messages"."erased_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_contact_unique" ON "webhook_events" USING btree ("contact_id","sequence") WHERE "webhook_events"."contact_id" is not null;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_subject_check" CHECK ("webhook_events"."message_id" is null or "webhook_events"."contact_id" is null);--> statement-breakpoint
UPDATE "conversations" v SET "last_activity_seq" = m.accept_seq, "last_message_at" = m.created_at
FROM (SELECT DISTINCT ON (conversation_id) conversation_id, accept_seq, created_at FROM "messages"
  WHERE kind <> 'note' ORDER BY conversation_id, accept_seq DESC) m
WHERE m.conversation_id = v.id;
