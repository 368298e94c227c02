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
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusal_hours" ADD CONSTRAINT "refusal_hours_organization_id_key_id_api_keys_organization_id_id_fk" FOREIGN KEY ("organization_id","key_id") REFERENCES "public"."api_keys"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_requests_order_index" ON "api_requests" USING btree ("organization_id","refused_at","id");--> statement-breakpoint
CREATE INDEX "api_requests_key_index" ON "api_requests" USING btree ("key_id","organization_id","refused_at","id");--> statement-breakpoint
CREATE INDEX "api_requests_client_message_id_index" ON "api_requests" USING btree ("client_message_id","organization_id") WHERE "api_requests"."client_message_id" is not null;