CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unmatched_statuses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"upstream_id" text NOT NULL,
	"status" text NOT NULL,
	"entry" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unmatched_statuses_unique" UNIQUE("upstream_id","channel_id","status")
);
--> statement-breakpoint
CREATE TABLE "upstream_callbacks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"body" "bytea" NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp with time zone,
	"claimed_until" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"upstream" text NOT NULL,
	"phone_number_id" text NOT NULL,
	"waba_id" text NOT NULL,
	"display_phone_number" text NOT NULL,
	"access_token_encrypted" text NOT NULL,
	"app_secret_encrypted" text NOT NULL,
	"verify_token_hash" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"paused_at" timestamp with time zone,
	"pause_reason" text,
	"next_probe_at" timestamp with time zone,
	"unknown_window_open_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channels_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "channels_phone_number_unique" UNIQUE("upstream","phone_number_id"),
	CONSTRAINT "channels_upstream_check" CHECK ("channels"."upstream" in ('meta', 'simulator')),
	CONSTRAINT "channels_pause_check" CHECK (("channels"."paused_at" is null) = ("channels"."pause_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "contact_identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"handle" text NOT NULL,
	"canonical" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_identities_handle_unique" UNIQUE("handle","organization_id","kind")
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_id_organization_id_unique" UNIQUE("id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"assignee_id" uuid,
	"last_inbound_at" timestamp with time zone,
	"blocked_until" timestamp with time zone,
	"pair_limit_streak" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversations_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "conversations_contact_channel_unique" UNIQUE("contact_id","channel_id"),
	CONSTRAINT "conversations_status_check" CHECK ("conversations"."status" in ('open', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "api_key_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"display_prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"ends_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_key_secrets_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "api_key_usage" (
	"organization_id" uuid NOT NULL,
	"key_id" uuid PRIMARY KEY NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"channel_ids" uuid[],
	"send_limit" integer NOT NULL,
	"read_limit" integer NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_id_organization_id_unique" UNIQUE("id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "rate_windows" (
	"subject" uuid NOT NULL,
	"bucket" text NOT NULL,
	"last_second" bigint NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "rate_windows_subject_bucket_pk" PRIMARY KEY("subject","bucket")
);
--> statement-breakpoint
CREATE TABLE "message_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"recipient" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deadline" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"outcome" text,
	"http_status" integer,
	"upstream_code" integer,
	"upstream_id" text,
	"detail" jsonb,
	CONSTRAINT "message_attempts_outcome_check" CHECK ("message_attempts"."outcome" is null or "message_attempts"."outcome" in ('accepted', 'rejected', 'retry', 'uncertain'))
);
--> statement-breakpoint
CREATE TABLE "message_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source_key" text NOT NULL,
	"sequence" integer,
	"previous_state" text,
	"inferred" boolean DEFAULT false NOT NULL,
	"upstream_at" timestamp with time zone,
	"error_code" text,
	"detail" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_events_source_unique" UNIQUE("message_id","kind","source_key")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"content" jsonb NOT NULL,
	"key_id" uuid,
	"client_message_id" text,
	"body_fingerprint" "bytea",
	"recipient" text,
	"request_id" text,
	"accept_seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_accept_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text,
	"event_sequence" integer DEFAULT 0 NOT NULL,
	"error_code" text,
	"error_detail" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"next_attempt_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"enqueued_at" timestamp with time zone,
	"claim_token" uuid,
	"claimed_until" timestamp with time zone,
	"hold_until" timestamp with time zone,
	"in_doubt_since" timestamp with time zone,
	"upstream_id" text,
	CONSTRAINT "messages_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "messages_client_message_id_unique" UNIQUE("client_message_id","organization_id"),
	CONSTRAINT "messages_kind_check" CHECK ("messages"."kind" in ('outbound', 'inbound', 'note')),
	CONSTRAINT "messages_state_check" CHECK (("messages"."kind" = 'outbound') = ("messages"."state" is not null)),
	CONSTRAINT "messages_client_message_id_check" CHECK ("messages"."client_message_id" is null or ("messages"."kind" = 'outbound' and "messages"."body_fingerprint" is not null))
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "intake_minutes" (
	"minute" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "members_organization_id_user_id_unique" UNIQUE("organization_id","user_id"),
	CONSTRAINT "members_role_check" CHECK ("members"."role" in ('owner', 'admin', 'agent'))
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"fingerprint_key_encrypted" text NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unmatched_statuses" ADD CONSTRAINT "unmatched_statuses_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upstream_callbacks" ADD CONSTRAINT "upstream_callbacks_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_organization_id_contact_id_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_contact_id_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_assignee_id_members_organization_id_id_fk" FOREIGN KEY ("organization_id","assignee_id") REFERENCES "public"."members"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_events" ADD CONSTRAINT "message_events_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_conversation_id_conversations_organization_id_id_fk" FOREIGN KEY ("organization_id","conversation_id") REFERENCES "public"."conversations"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_contact_id_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_organization_index" ON "audit_log" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "upstream_callbacks_due_index" ON "upstream_callbacks" USING btree ("received_at") WHERE "upstream_callbacks"."processed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "channels_default_unique" ON "channels" USING btree ("organization_id") WHERE "channels"."is_default";--> statement-breakpoint
CREATE INDEX "contact_identities_canonical_index" ON "contact_identities" USING btree ("canonical","organization_id","kind");--> statement-breakpoint
CREATE INDEX "contact_identities_contact_index" ON "contact_identities" USING btree ("contact_id","organization_id");--> statement-breakpoint
CREATE INDEX "api_key_secrets_key_index" ON "api_key_secrets" USING btree ("key_id","organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "message_attempts_one_unsettled_unique" ON "message_attempts" USING btree ("message_id") WHERE "message_attempts"."outcome" is null or "message_attempts"."outcome" in ('accepted', 'uncertain');--> statement-breakpoint
CREATE INDEX "message_attempts_open_index" ON "message_attempts" USING btree ("deadline") WHERE "message_attempts"."outcome" is null;--> statement-breakpoint
CREATE INDEX "message_attempts_uncertain_index" ON "message_attempts" USING btree ("channel_id","recipient") WHERE "message_attempts"."outcome" = 'uncertain';--> statement-breakpoint
CREATE UNIQUE INDEX "message_events_sequence_unique" ON "message_events" USING btree ("message_id","sequence") WHERE "message_events"."sequence" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_upstream_id_unique" ON "messages" USING btree ("channel_id","upstream_id") WHERE "messages"."upstream_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_due_index" ON "messages" USING btree ("channel_id","next_attempt_at","accept_seq") WHERE "messages"."state" = 'queued' and "messages"."claim_token" is null and "messages"."in_doubt_since" is null;--> statement-breakpoint
CREATE INDEX "messages_claim_index" ON "messages" USING btree ("claimed_until") WHERE "messages"."state" = 'queued' and "messages"."claim_token" is not null;--> statement-breakpoint
CREATE INDEX "messages_queue_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "messages_doubt_index" ON "messages" USING btree ("in_doubt_since") WHERE "messages"."state" = 'queued' and "messages"."in_doubt_since" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree (lower("email"));