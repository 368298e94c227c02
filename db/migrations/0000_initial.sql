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
	"address" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"password" text,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_user_id_provider_id_unique" UNIQUE("user_id","provider_id")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"invited_by" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"subject" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"window_ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_places" (
	"user_id" uuid NOT NULL,
	"place" text NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_places_user_id_place_pk" PRIMARY KEY("user_id","place")
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean DEFAULT false NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "two_factors_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unmatched_statuses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"upstream_id" text NOT NULL,
	"status" text NOT NULL,
	"entry" jsonb NOT NULL,
	"recipient" text,
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
	"pause_detail" jsonb,
	"next_probe_at" timestamp with time zone,
	"unknown_window_open_until" timestamp with time zone,
	"callback_verified_at" timestamp with time zone,
	"last_callback_at" timestamp with time zone,
	"templates_asked_at" timestamp with time zone,
	"templates_synced_at" timestamp with time zone,
	"templates_failure" text,
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
	"refused_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_identities_handle_unique" UNIQUE("handle","organization_id","kind")
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text,
	"marketing_opted_out_at" timestamp with time zone,
	"marketing_wished_at" timestamp with time zone,
	"merged_into" uuid,
	"erased_at" timestamp with time zone,
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
	"window_closed_at" timestamp with time zone,
	"blocked_until" timestamp with time zone,
	"pair_limit_streak" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversations_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "conversations_id_organization_id_channel_id_unique" UNIQUE("id","organization_id","channel_id"),
	CONSTRAINT "conversations_contact_channel_unique" UNIQUE("contact_id","channel_id"),
	CONSTRAINT "conversations_status_check" CHECK ("conversations"."status" in ('open', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "demo_inbox" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fault" text,
	"headers" jsonb NOT NULL,
	"body" text NOT NULL,
	"body_bytes" integer NOT NULL,
	"type" text,
	"message_id" uuid,
	CONSTRAINT "demo_inbox_pk" PRIMARY KEY("id","organization_id"),
	CONSTRAINT "demo_inbox_fault_check" CHECK ("demo_inbox"."fault" in ('unsigned', 'wrong_time', 'wrong_signature'))
);
--> statement-breakpoint
CREATE TABLE "api_key_secret_usage" (
	"organization_id" uuid NOT NULL,
	"secret_id" uuid PRIMARY KEY NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
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
	"recipient" text,
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
	CONSTRAINT "message_events_pk" PRIMARY KEY("message_id","kind","source_key")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"content" jsonb NOT NULL,
	"key_id" uuid,
	"member_id" uuid,
	"client_message_id" text,
	"body_fingerprint" "bytea",
	"recipient" text,
	"template_id" uuid,
	"upload_id" uuid,
	"resend_of" uuid,
	"request_id" text,
	"accept_seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_accept_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text,
	"is_queued" boolean GENERATED ALWAYS AS (state = 'queued') STORED,
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
	"erased_at" timestamp with time zone,
	CONSTRAINT "messages_pk" PRIMARY KEY("id","organization_id"),
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
	"removed_at" timestamp with time zone,
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
	"retention_days" integer DEFAULT 90 NOT NULL,
	"erased_until_seq" bigint DEFAULT 0 NOT NULL,
	"contacts_looked_at_until" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	"upload_quota_bytes" bigint DEFAULT 10737418240 NOT NULL,
	"uploaded_bytes" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_retention_days_check" CHECK ("organizations"."retention_days" >= 2)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"image" text,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_requests" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"secret_id" uuid NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"code" text NOT NULL,
	"field" text,
	"client_message_id" text,
	"recipient_hash" "bytea",
	"conversation_id" uuid,
	"duration_ms" double precision NOT NULL,
	"refused_at" timestamp with time zone NOT NULL,
	CONSTRAINT "api_requests_pk" PRIMARY KEY("id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "refusal_hours" (
	"organization_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"key_id" uuid NOT NULL,
	"code" text NOT NULL,
	"refused" integer NOT NULL,
	"kept" integer NOT NULL,
	CONSTRAINT "refusal_hours_pk" PRIMARY KEY("organization_id","hour","key_id","code")
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"category" text,
	"state" text NOT NULL,
	"state_reason" text,
	"components" jsonb NOT NULL,
	"variables" text[] DEFAULT '{}' NOT NULL,
	"upstream_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "templates_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "templates_name_unique" UNIQUE("channel_id","name","language"),
	CONSTRAINT "templates_state_check" CHECK ("templates"."state" in ('pending', 'approved', 'rejected', 'paused', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "upload_media" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"upload_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"media_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "upload_media_channel_unique" UNIQUE("upload_id","channel_id")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"storage_key" text NOT NULL,
	"filename" text,
	"mime_type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"erased_at" timestamp with time zone,
	CONSTRAINT "uploads_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "uploads_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "latency_hours" (
	"organization_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"channel_id" uuid,
	"key_id" uuid,
	"handed_over" integer[] NOT NULL,
	"delivered" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_hours" (
	"organization_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"channel_id" uuid NOT NULL,
	"key_id" uuid,
	"error_code" text,
	"queued" integer NOT NULL,
	"sent" integer NOT NULL,
	"delivered" integer NOT NULL,
	"read" integer NOT NULL,
	"failed" integer NOT NULL,
	"counted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_progress" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"counted_from" timestamp with time zone,
	"counted_until" timestamp with time zone DEFAULT 'epoch' NOT NULL,
	"recounted_soon_until" timestamp with time zone DEFAULT 'epoch' NOT NULL,
	"recounted_later_until" timestamp with time zone DEFAULT 'epoch' NOT NULL,
	"recounted_last_until" timestamp with time zone DEFAULT 'epoch' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"organization_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer,
	"finished_at" timestamp with time zone,
	"http_status" integer,
	"error_class" text,
	"answer" text,
	CONSTRAINT "webhook_attempts_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"state" text NOT NULL,
	"is_pending" boolean GENERATED ALWAYS AS (state = 'pending') STORED,
	"next_attempt_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempts_ever" integer DEFAULT 0 NOT NULL,
	"claim_token" uuid,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_attempt_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_pk" PRIMARY KEY("id","organization_id"),
	CONSTRAINT "webhook_deliveries_event_unique" UNIQUE("event_id","endpoint_id"),
	CONSTRAINT "webhook_deliveries_state_check" CHECK ("webhook_deliveries"."state" in ('pending', 'delivered', 'failed', 'skipped', 'available'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"url" text,
	"description" text DEFAULT '' NOT NULL,
	"events" text[] NOT NULL,
	"channel_ids" uuid[],
	"secret_encrypted" text NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"health_since" timestamp with time zone DEFAULT now() NOT NULL,
	"failing_since" timestamp with time zone,
	"last_failed_at" timestamp with time zone,
	"warned_at" timestamp with time zone,
	"backoff_until" timestamp with time zone,
	"backoff_set_at" timestamp with time zone,
	"backoff_streak" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "webhook_endpoints_disabled_check" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"type" text NOT NULL,
	"message_id" uuid,
	"sequence" integer,
	"body" text,
	"id_in_body" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_events_pk" PRIMARY KEY("id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_former_secrets" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"secret_encrypted" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_former_secrets_pk" PRIMARY KEY("endpoint_id","id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_replays" (
	"organization_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"replay_id" uuid NOT NULL,
	"only" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"is_count_exact" boolean DEFAULT true NOT NULL,
	"position_at" timestamp with time zone,
	"position_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "webhook_replays_pk" PRIMARY KEY("endpoint_id","replay_id")
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_invited_by_members_organization_id_id_fk" FOREIGN KEY ("organization_id","invited_by") REFERENCES "public"."members"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_places" ADD CONSTRAINT "sign_in_places_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unmatched_statuses" ADD CONSTRAINT "unmatched_statuses_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upstream_callbacks" ADD CONSTRAINT "upstream_callbacks_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_organization_id_contact_id_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_merged_into_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","merged_into") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_contact_id_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_organization_id_assignee_id_members_organization_id_id_fk" FOREIGN KEY ("organization_id","assignee_id") REFERENCES "public"."members"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "demo_inbox" ADD CONSTRAINT "demo_inbox_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_secret_usage" ADD CONSTRAINT "api_key_secret_usage_secret_id_api_key_secrets_id_fk" FOREIGN KEY ("secret_id") REFERENCES "public"."api_key_secrets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_events" ADD CONSTRAINT "message_events_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_template_id_templates_organization_id_id_fk" FOREIGN KEY ("organization_id","template_id") REFERENCES "public"."templates"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_upload_id_uploads_organization_id_id_fk" FOREIGN KEY ("organization_id","upload_id") REFERENCES "public"."uploads"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_fk" FOREIGN KEY ("conversation_id","organization_id","channel_id") REFERENCES "public"."conversations"("id","organization_id","channel_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_contact_id_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","contact_id") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusal_hours" ADD CONSTRAINT "refusal_hours_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_media" ADD CONSTRAINT "upload_media_organization_id_upload_id_uploads_organization_id_id_fk" FOREIGN KEY ("organization_id","upload_id") REFERENCES "public"."uploads"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_media" ADD CONSTRAINT "upload_media_organization_id_channel_id_channels_organization_id_id_fk" FOREIGN KEY ("organization_id","channel_id") REFERENCES "public"."channels"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "latency_hours" ADD CONSTRAINT "latency_hours_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_hours" ADD CONSTRAINT "usage_hours_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_progress" ADD CONSTRAINT "usage_progress_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_organization_id_delivery_id_webhook_deliveries_organization_id_id_fk" FOREIGN KEY ("organization_id","delivery_id") REFERENCES "public"."webhook_deliveries"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_endpoint_id_webhook_endpoints_organization_id_id_fk" FOREIGN KEY ("organization_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_event_id_webhook_events_organization_id_id_fk" FOREIGN KEY ("organization_id","event_id") REFERENCES "public"."webhook_events"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_former_secrets" ADD CONSTRAINT "webhook_former_secrets_endpoint_fk" FOREIGN KEY ("endpoint_id","organization_id") REFERENCES "public"."webhook_endpoints"("id","organization_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_organization_id_endpoint_id_webhook_endpoints_organization_id_id_fk" FOREIGN KEY ("organization_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_order_index" ON "audit_log" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject_index" ON "audit_log" USING btree ("subject_id","organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_member_index" ON "audit_log" USING btree ("actor_id","organization_id","created_at","id") WHERE "audit_log"."actor_kind" = 'member';--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_open_unique" ON "invitations" USING btree (lower("email"),"organization_id") WHERE "invitations"."accepted_at" is null and "invitations"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_user_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_index" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_window_ends_at_index" ON "sign_in_attempts" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "sign_in_places_last_used_at_index" ON "sign_in_places" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "verifications_identifier_index" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "verifications_expires_at_index" ON "verifications" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "unmatched_statuses_age_index" ON "unmatched_statuses" USING btree ("created_at","organization_id");--> statement-breakpoint
CREATE INDEX "unmatched_statuses_recipient_index" ON "unmatched_statuses" USING btree ("created_at") WHERE "unmatched_statuses"."recipient" is not null;--> statement-breakpoint
CREATE INDEX "upstream_callbacks_waiting_index" ON "upstream_callbacks" USING btree ("channel_id","received_at") WHERE "upstream_callbacks"."processed_at" is null;--> statement-breakpoint
CREATE INDEX "upstream_callbacks_kept_index" ON "upstream_callbacks" USING btree ("organization_id","received_at") WHERE "upstream_callbacks"."processed_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "channels_default_unique" ON "channels" USING btree ("organization_id") WHERE "channels"."is_default";--> statement-breakpoint
CREATE INDEX "contact_identities_canonical_index" ON "contact_identities" USING btree ("canonical","organization_id","kind");--> statement-breakpoint
CREATE INDEX "contact_identities_suffix_index" ON "contact_identities" USING btree (reverse("canonical") text_pattern_ops,"organization_id") WHERE "contact_identities"."kind" = 'whatsapp';--> statement-breakpoint
CREATE INDEX "contact_identities_prefix_index" ON "contact_identities" USING btree ("organization_id","canonical" text_pattern_ops) WHERE "contact_identities"."kind" = 'whatsapp';--> statement-breakpoint
CREATE INDEX "contact_identities_contact_index" ON "contact_identities" USING btree ("contact_id","organization_id");--> statement-breakpoint
CREATE INDEX "contacts_merged_index" ON "contacts" USING btree ("merged_into") WHERE "contacts"."merged_into" is not null;--> statement-breakpoint
CREATE INDEX "contacts_order_index" ON "contacts" USING btree ("organization_id","id") WHERE "contacts"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_list_index" ON "contacts" USING btree ("organization_id","id") WHERE "contacts"."erased_at" is null and "contacts"."merged_into" is null;--> statement-breakpoint
CREATE INDEX "contacts_name_index" ON "contacts" USING btree ("organization_id",(translate(lower(left(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž', 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz')) text_pattern_ops) WHERE name is not null;--> statement-breakpoint
CREATE INDEX "contacts_second_name_index" ON "contacts" USING btree ("organization_id",(split_part(translate(lower(left(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž', 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz'), ' ', 2)) text_pattern_ops) WHERE strpos(name, ' ') > 0;--> statement-breakpoint
CREATE INDEX "contacts_last_name_index" ON "contacts" USING btree ("organization_id",(split_part(translate(lower(left(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž', 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz'), ' ', -1)) text_pattern_ops) WHERE strpos(name, ' ') > 0;--> statement-breakpoint
CREATE INDEX "contacts_erased_index" ON "contacts" USING btree ("erased_at") WHERE "contacts"."erased_at" is not null;--> statement-breakpoint
CREATE INDEX "demo_inbox_order_index" ON "demo_inbox" USING btree ("organization_id",("fault" is null),"received_at","id");--> statement-breakpoint
CREATE INDEX "demo_inbox_age_index" ON "demo_inbox" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "api_key_secrets_key_index" ON "api_key_secrets" USING btree ("key_id","organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "message_attempts_one_unsettled_unique" ON "message_attempts" USING btree ("message_id") WHERE "message_attempts"."outcome" is null or "message_attempts"."outcome" in ('accepted', 'uncertain');--> statement-breakpoint
CREATE INDEX "message_attempts_open_index" ON "message_attempts" USING btree ("deadline") WHERE "message_attempts"."outcome" is null;--> statement-breakpoint
CREATE INDEX "message_attempts_uncertain_index" ON "message_attempts" USING btree ("channel_id","recipient") WHERE "message_attempts"."outcome" = 'uncertain';--> statement-breakpoint
CREATE INDEX "message_attempts_accepted_index" ON "message_attempts" USING btree ("channel_id","started_at") WHERE "message_attempts"."outcome" = 'accepted';--> statement-breakpoint
CREATE INDEX "message_attempts_ended_index" ON "message_attempts" USING btree ("message_id") WHERE "message_attempts"."outcome" in ('rejected', 'retry');--> statement-breakpoint
CREATE UNIQUE INDEX "message_events_sequence_unique" ON "message_events" USING btree ("message_id","sequence") WHERE "message_events"."sequence" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_upstream_id_unique" ON "messages" USING btree ("channel_id","upstream_id") WHERE "messages"."upstream_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_due_index" ON "messages" USING btree ("channel_id","next_attempt_at","accept_seq") WHERE "messages"."is_queued" and "messages"."claim_token" is null and "messages"."in_doubt_since" is null;--> statement-breakpoint
CREATE INDEX "messages_claim_index" ON "messages" USING btree ("claimed_until") WHERE "messages"."is_queued" and "messages"."claim_token" is not null;--> statement-breakpoint
CREATE INDEX "messages_queue_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."is_queued" and "messages"."accept_seq" > 0;--> statement-breakpoint
CREATE INDEX "messages_doubt_index" ON "messages" USING btree ("in_doubt_since") WHERE "messages"."is_queued" and "messages"."in_doubt_since" is not null;--> statement-breakpoint
CREATE INDEX "messages_expiry_index" ON "messages" USING btree ("created_at") WHERE "messages"."is_queued" and "messages"."created_at" > '-infinity';--> statement-breakpoint
CREATE INDEX "messages_order_index" ON "messages" USING btree ("organization_id","accept_seq") WHERE "messages"."accept_seq" > 0;--> statement-breakpoint
CREATE INDEX "messages_kept_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "messages_erased_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."erased_at" is not null;--> statement-breakpoint
CREATE INDEX "messages_failed_index" ON "messages" USING btree ("organization_id","accept_seq") WHERE "messages"."error_code" is not null;--> statement-breakpoint
CREATE INDEX "messages_error_code_index" ON "messages" USING btree ("organization_id","error_code","accept_seq") WHERE "messages"."error_code" is not null;--> statement-breakpoint
CREATE INDEX "messages_waiting_index" ON "messages" USING btree ("organization_id","accept_seq") WHERE "messages"."is_queued" and "messages"."created_at" < 'infinity';--> statement-breakpoint
CREATE INDEX "messages_unconfirmed_index" ON "messages" USING btree ("organization_id","accept_seq") WHERE "messages"."is_queued" and "messages"."in_doubt_since" is not null and "messages"."created_at" < 'infinity';--> statement-breakpoint
CREATE INDEX "messages_resend_index" ON "messages" USING btree ("resend_of") WHERE "messages"."resend_of" is not null;--> statement-breakpoint
CREATE INDEX "messages_upload_index" ON "messages" USING btree ("upload_id") WHERE "messages"."upload_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "api_requests_order_index" ON "api_requests" USING btree ("organization_id","refused_at","id");--> statement-breakpoint
CREATE INDEX "api_requests_key_index" ON "api_requests" USING btree ("key_id","organization_id","refused_at","id");--> statement-breakpoint
CREATE INDEX "api_requests_client_message_id_index" ON "api_requests" USING btree ("client_message_id","organization_id","refused_at","id") WHERE "api_requests"."client_message_id" is not null;--> statement-breakpoint
CREATE INDEX "api_requests_recipient_index" ON "api_requests" USING btree ("recipient_hash","organization_id","refused_at","id") WHERE "api_requests"."recipient_hash" is not null;--> statement-breakpoint
CREATE INDEX "api_requests_conversation_index" ON "api_requests" USING btree ("conversation_id","organization_id","refused_at","id") WHERE "api_requests"."conversation_id" is not null;--> statement-breakpoint
CREATE INDEX "uploads_expires_at_index" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "latency_hours_unique" ON "latency_hours" USING btree ("organization_id",coalesce("channel_id", "key_id", '00000000-0000-0000-0000-000000000000'),"hour");--> statement-breakpoint
CREATE INDEX "latency_hours_hour_index" ON "latency_hours" USING btree ("organization_id","hour");--> statement-breakpoint
CREATE UNIQUE INDEX "usage_hours_unique" ON "usage_hours" USING btree ("organization_id","hour","channel_id",coalesce("key_id", '00000000-0000-0000-0000-000000000000'),coalesce("error_code", ''));--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_index" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE "webhook_deliveries"."is_pending" and "webhook_deliveries"."claim_token" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claim_index" ON "webhook_deliveries" USING btree ("endpoint_id","claimed_until") WHERE "webhook_deliveries"."is_pending" and "webhook_deliveries"."claim_token" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order_index" ON "webhook_deliveries" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_state_index" ON "webhook_deliveries" USING btree ("endpoint_id","state","created_at","id") WHERE "webhook_deliveries"."state" in ('failed', 'skipped');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_available_index" ON "webhook_deliveries" USING btree ("organization_id","created_at") WHERE "webhook_deliveries"."state" = 'available';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_organization_index" ON "webhook_endpoints" USING btree ("organization_id","id") WHERE "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_message_unique" ON "webhook_events" USING btree ("message_id","sequence") WHERE "webhook_events"."message_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_age_index" ON "webhook_events" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_replays_running_index" ON "webhook_replays" USING btree ("endpoint_id","created_at") WHERE "webhook_replays"."finished_at" is null;--> statement-breakpoint
-- What the Drizzle schema can't express.
-- Windows of the PostgreSQL limiter: taking a unit costs no WAL. A crash of PostgreSQL empties them.
ALTER TABLE rate_windows SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE rate_windows SET (fillfactor = 50);
--> statement-breakpoint
-- A message is written four times in its first minute: claimed, sent, delivered, read. With room on its page the last two
-- touch no index.
ALTER TABLE messages SET (fillfactor = 80);
--> statement-breakpoint
-- An erasure refreshes the statistics of columns, which PostgreSQL doesn't do for expressions of indexes: those hold none,
-- so that no erased name or number stays there.
ALTER INDEX contacts_name_index ALTER COLUMN 2 SET STATISTICS 0;
--> statement-breakpoint
ALTER INDEX contacts_second_name_index ALTER COLUMN 2 SET STATISTICS 0;
--> statement-breakpoint
ALTER INDEX contacts_last_name_index ALTER COLUMN 2 SET STATISTICS 0;
--> statement-breakpoint
ALTER INDEX contact_identities_suffix_index ALTER COLUMN 1 SET STATISTICS 0;
--> statement-breakpoint
-- Takes up to `wanted` units of a sliding window of 60 seconds and returns how many were granted.
-- Sixty-one one-second counters are all counted in full, so no 60 seconds hold more than `allowed` units.
-- `frees_at`: the Unix second from which one more unit is free, at most 61 seconds away.
CREATE FUNCTION take_rate_units(
  p_subject uuid, p_bucket text, p_allowed integer, p_wanted integer,
  OUT granted integer, OUT remaining integer, OUT taken_second bigint, OUT frees_at bigint, OUT now_ms bigint
) LANGUAGE plpgsql AS $$
DECLARE
  held rate_windows;
  used integer;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO rate_windows AS w (subject, bucket, last_second, counts)
    VALUES (p_subject, p_bucket, 0, array_fill(0, ARRAY[61]))
    ON CONFLICT (subject, bucket) DO NOTHING;
  SELECT * INTO STRICT held FROM rate_windows WHERE subject = p_subject AND bucket = p_bucket FOR NO KEY UPDATE;

  now_ms := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  -- A clock set back by less than a window must not free what was taken; one set back further starts anew,
  -- or a subject would be refused for as long as the clock was wrong.
  taken_second := now_ms / 1000;
  IF held.last_second BETWEEN taken_second AND taken_second + 60 THEN
    taken_second := held.last_second;
  END IF;
  IF abs(taken_second - held.last_second) > 60 THEN
    held.counts := array_fill(0, ARRAY[61]);
  ELSE
    FOR s IN held.last_second + 1 .. taken_second LOOP
      held.counts[1 + s % 61] := 0;
    END LOOP;
  END IF;

  SELECT coalesce(sum(c), 0) INTO used FROM unnest(held.counts) AS c;
  granted := least(p_wanted, greatest(p_allowed - used, 0));
  remaining := greatest(p_allowed - used - granted, 0);
  held.counts[1 + taken_second % 61] := held.counts[1 + taken_second % 61] + granted;

  used := used + granted;
  frees_at := taken_second;
  FOR s IN taken_second - 60 .. taken_second LOOP
    IF held.counts[1 + s % 61] > 0 THEN
      frees_at := s + 61;
      used := used - held.counts[1 + s % 61];
      EXIT WHEN used < p_allowed;
    END IF;
  END LOOP;

  IF granted > 0 OR taken_second <> held.last_second THEN
    UPDATE rate_windows SET last_second = taken_second, counts = held.counts
      WHERE subject = p_subject AND bucket = p_bucket;
  END IF;
END $$;
--> statement-breakpoint
-- Returns units to the second in which they were taken, as long as it is in the window.
CREATE FUNCTION give_back_rate_units(p_subject uuid, p_bucket text, p_second bigint, p_units integer)
RETURNS void LANGUAGE sql AS $$
  SELECT set_config('synchronous_commit', 'off', true);
  UPDATE rate_windows
    SET counts[1 + p_second % 61] = greatest(counts[1 + p_second % 61] - p_units, 0)
    WHERE subject = p_subject AND bucket = p_bucket AND last_second - p_second BETWEEN 0 AND 60;
$$;
