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
ALTER TABLE "demo_inbox" ADD CONSTRAINT "demo_inbox_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "demo_inbox_order_index" ON "demo_inbox" USING btree ("organization_id",("fault" is null),"received_at","id");--> statement-breakpoint
CREATE INDEX "demo_inbox_age_index" ON "demo_inbox" USING btree ("received_at");