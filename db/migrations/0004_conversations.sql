CREATE TABLE "customer_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"media_id" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"gone_reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claim_token" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	"failure" text,
	"mime_type" text,
	"size" bigint,
	"sha256" text,
	"may_have_bytes" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stored_at" timestamp with time zone,
	CONSTRAINT "customer_files_message_unique" UNIQUE("message_id","organization_id"),
	CONSTRAINT "customer_files_state_check" CHECK ("customer_files"."state" in ('pending', 'stored', 'gone')),
	CONSTRAINT "customer_files_size_check" CHECK (("customer_files"."state" = 'stored') = ("customer_files"."size" is not null)),
	CONSTRAINT "customer_files_reason_check" CHECK (("customer_files"."state" = 'gone') = ("customer_files"."gone_reason" is not null))
);
--> statement-breakpoint
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
ALTER TABLE "messages" ADD COLUMN "upstream_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "opt_out_words" text[];--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "opt_in_words" text[];--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "contact_id" uuid;--> statement-breakpoint
ALTER TABLE "customer_files" ADD CONSTRAINT "customer_files_message_id_organization_id_messages_id_organization_id_fk" FOREIGN KEY ("message_id","organization_id") REFERENCES "public"."messages"("id","organization_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_files" ADD CONSTRAINT "customer_files_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_conversation_fk" FOREIGN KEY ("conversation_id","organization_id","channel_id") REFERENCES "public"."conversations"("id","organization_id","channel_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_message_fk" FOREIGN KEY ("message_id","organization_id") REFERENCES "public"."messages"("id","organization_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_files_due_index" ON "customer_files" USING btree ("channel_id","next_attempt_at") WHERE "customer_files"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "customer_files_removable_index" ON "customer_files" USING btree ("id") WHERE "customer_files"."state" = 'gone' and "customer_files"."may_have_bytes";--> statement-breakpoint
CREATE INDEX "read_marks_due_index" ON "read_marks" USING btree ("channel_id","next_attempt_at") WHERE "read_marks"."is_pending";--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_contact_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_activity_index" ON "conversations" USING btree ("channel_id","last_activity_seq","id");--> statement-breakpoint
CREATE INDEX "message_events_changes_index" ON "message_events" USING btree ("organization_id","created_at","message_id") WHERE "message_events"."sequence" is not null;--> statement-breakpoint
CREATE INDEX "messages_reaction_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."is_queued" and "messages"."type" = 'reaction';--> statement-breakpoint
CREATE INDEX "messages_accepted_index" ON "messages" USING btree ("organization_id","created_at","id") WHERE "messages"."kind" <> 'note';--> statement-breakpoint
CREATE INDEX "messages_erasure_index" ON "messages" USING btree ("organization_id","erased_at","id") WHERE "messages"."erased_at" is not null;--> statement-breakpoint
CREATE INDEX "messages_about_index" ON "messages" USING btree ("conversation_id",(coalesce(content #>> '{reaction,message_id}', content #>> '{reaction,upstream_id}', content #>> '{revokes,upstream_id}', content #>> '{edits,upstream_id}')),"accept_seq") WHERE type in ('reaction', 'revoke', 'edit');--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_contact_unique" ON "webhook_events" USING btree ("contact_id","sequence") WHERE "webhook_events"."contact_id" is not null;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_subject_check" CHECK ("webhook_events"."message_id" is null or "webhook_events"."contact_id" is null);--> statement-breakpoint
UPDATE "conversations" v SET "last_activity_seq" = m.accept_seq, "last_message_at" = m.created_at
FROM (SELECT DISTINCT ON (conversation_id) conversation_id, accept_seq, created_at FROM "messages"
  WHERE kind <> 'note' ORDER BY conversation_id, accept_seq DESC) m
WHERE m.conversation_id = v.id;
--> statement-breakpoint
-- Files that customers sent before this version, as long as WhatsApp still has them.
INSERT INTO "customer_files" ("id", "organization_id", "message_id", "channel_id", "media_id", "expires_at")
SELECT gen_random_uuid(), m."organization_id", m."id", m."channel_id", m."content" #>> '{media,id}', m."created_at" + interval '7 days'
FROM "messages" m
WHERE m."kind" = 'inbound' AND m."erased_at" IS NULL AND m."created_at" > now() - interval '7 days'
	AND m."content" #>> '{media,id}' IS NOT NULL;
