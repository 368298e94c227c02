CREATE INDEX "contacts_list_index" ON "contacts" USING btree ("organization_id","id") WHERE "contacts"."erased_at" is null and "contacts"."merged_into" is null;--> statement-breakpoint
CREATE INDEX "contacts_name_index" ON "contacts" USING btree ("organization_id",(translate(lower(left(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž', 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz')) text_pattern_ops) WHERE name is not null;--> statement-breakpoint
CREATE INDEX "contacts_second_name_index" ON "contacts" USING btree ("organization_id",(split_part(translate(lower(left(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž', 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz'), ' ', 2)) text_pattern_ops) WHERE strpos(name, ' ') > 0;--> statement-breakpoint
CREATE INDEX "contacts_last_name_index" ON "contacts" USING btree ("organization_id",(split_part(translate(lower(left(name, 100)), 'àáâãäåāăąçćčďèéêëēėęěğìíîïīįıłñńňòóôõöøōőŕřśşšţťùúûüūůűųýÿźżž', 'aaaaaaaaacccdeeeeeeeegiiiiiiilnnnoooooooorrsssttuuuuuuuuyyzzz'), ' ', -1)) text_pattern_ops) WHERE strpos(name, ' ') > 0;--> statement-breakpoint
-- An erasure takes samples of columns anew, which PostgreSQL doesn't do for expressions of indexes: of these it keeps none.
ALTER INDEX "contacts_name_index" ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "contacts_second_name_index" ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "contacts_last_name_index" ALTER COLUMN 2 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "contact_identities_suffix_index" ALTER COLUMN 1 SET STATISTICS 0;
