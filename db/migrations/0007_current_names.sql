ALTER TABLE "contact_identities" ADD COLUMN "current_since" timestamp with time zone;--> statement-breakpoint
UPDATE "contact_identities" i SET "current_since" = i.created_at
WHERE EXISTS (SELECT FROM "contact_identities" o
  WHERE o.organization_id = i.organization_id AND o.contact_id = i.contact_id AND o.kind = i.kind AND o.id <> i.id);
