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
ALTER TABLE "customer_files" ADD CONSTRAINT "customer_files_message_id_organization_id_messages_id_organization_id_fk" FOREIGN KEY ("message_id","organization_id") REFERENCES "public"."messages"("id","organization_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_files" ADD CONSTRAINT "customer_files_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_files_due_index" ON "customer_files" USING btree ("channel_id","next_attempt_at") WHERE "customer_files"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "customer_files_removable_index" ON "customer_files" USING btree ("id") WHERE "customer_files"."state" = 'gone' and "customer_files"."may_have_bytes";--> statement-breakpoint
-- Files that customers sent before this version, as long as WhatsApp still has them.
INSERT INTO "customer_files" ("id", "organization_id", "message_id", "channel_id", "media_id", "expires_at")
SELECT gen_random_uuid(), m."organization_id", m."id", m."channel_id", m."content" #>> '{media,id}', m."created_at" + interval '7 days'
FROM "messages" m
WHERE m."kind" = 'inbound' AND m."erased_at" IS NULL AND m."created_at" > now() - interval '7 days'
	AND m."content" #>> '{media,id}' IS NOT NULL;
