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
DROP INDEX "audit_log_organization_index";--> statement-breakpoint
ALTER TABLE "latency_hours" ADD CONSTRAINT "latency_hours_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_hours" ADD CONSTRAINT "usage_hours_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_progress" ADD CONSTRAINT "usage_progress_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "latency_hours_unique" ON "latency_hours" USING btree ("organization_id",coalesce("channel_id", "key_id", '00000000-0000-0000-0000-000000000000'),"hour");--> statement-breakpoint
CREATE UNIQUE INDEX "usage_hours_unique" ON "usage_hours" USING btree ("organization_id","hour","channel_id",coalesce("key_id", '00000000-0000-0000-0000-000000000000'),coalesce("error_code", ''));--> statement-breakpoint
CREATE INDEX "audit_log_order_index" ON "audit_log" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject_index" ON "audit_log" USING btree ("subject_id","organization_id","created_at","id");--> statement-breakpoint
-- What organizations sent so far is counted from now backwards; of the last days the states still change.
INSERT INTO "usage_progress" ("organization_id", "counted_from", "counted_until", "recounted_soon_until", "recounted_later_until", "recounted_last_until")
SELECT "id", "hour", "hour", "hour" - interval '4 days', "hour" - interval '4 days', "hour" - interval '4 days'
FROM "organizations", (SELECT date_trunc('hour', now(), 'UTC') AS "hour") "present";
