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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
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
	"former_secret_encrypted" text,
	"former_secret_ends_at" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"failing_since" timestamp with time zone,
	"last_failed_at" timestamp with time zone,
	"warned_at" timestamp with time zone,
	"backoff_until" timestamp with time zone,
	"backoff_set_at" timestamp with time zone,
	"backoff_streak" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_id_organization_id_unique" UNIQUE("id","organization_id"),
	CONSTRAINT "webhook_endpoints_disabled_check" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null)),
	CONSTRAINT "webhook_endpoints_former_secret_check" CHECK (("webhook_endpoints"."former_secret_encrypted" is null) = ("webhook_endpoints"."former_secret_ends_at" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"type" text NOT NULL,
	"message_id" uuid,
	"sequence" integer,
	"body" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_events_pk" PRIMARY KEY("id","organization_id")
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
	"position_at" timestamp with time zone,
	"position_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "webhook_replays_pk" PRIMARY KEY("endpoint_id","replay_id")
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_organization_id_delivery_id_webhook_deliveries_organization_id_id_fk" FOREIGN KEY ("organization_id","delivery_id") REFERENCES "public"."webhook_deliveries"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_endpoint_id_webhook_endpoints_organization_id_id_fk" FOREIGN KEY ("organization_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_event_id_webhook_events_organization_id_id_fk" FOREIGN KEY ("organization_id","event_id") REFERENCES "public"."webhook_events"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_organization_id_message_id_messages_organization_id_id_fk" FOREIGN KEY ("organization_id","message_id") REFERENCES "public"."messages"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_organization_id_endpoint_id_webhook_endpoints_organization_id_id_fk" FOREIGN KEY ("organization_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_index" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE "webhook_deliveries"."is_pending" and "webhook_deliveries"."claim_token" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claim_index" ON "webhook_deliveries" USING btree ("endpoint_id","claimed_until") WHERE "webhook_deliveries"."is_pending" and "webhook_deliveries"."claim_token" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order_index" ON "webhook_deliveries" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_state_index" ON "webhook_deliveries" USING btree ("endpoint_id","state","created_at","id") WHERE "webhook_deliveries"."state" in ('failed', 'skipped');--> statement-breakpoint
CREATE INDEX "webhook_endpoints_organization_index" ON "webhook_endpoints" USING btree ("organization_id","id") WHERE "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_message_unique" ON "webhook_events" USING btree ("message_id","sequence") WHERE "webhook_events"."message_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_age_index" ON "webhook_events" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_replays_running_index" ON "webhook_replays" USING btree ("created_at") WHERE "webhook_replays"."finished_at" is null;