CREATE TABLE "request_hours" (
	"organization_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"key_id" uuid NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "request_hours_pk" PRIMARY KEY("organization_id","hour","key_id","method","route","status")
);
--> statement-breakpoint
ALTER TABLE "request_hours" ADD CONSTRAINT "request_hours_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Refused requests that are still listed. Successful ones weren't counted before this version.
INSERT INTO "request_hours" ("organization_id", "hour", "key_id", "method", "route", "status", "count")
SELECT "organization_id", date_trunc('hour', "refused_at", 'UTC'), "key_id", "method", "route", "status", count(*)
FROM "api_requests" GROUP BY 1, 2, 3, 4, 5, 6;
